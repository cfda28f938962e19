"""The rules, one family of kinds a module: each reads a `TextPage` and yields `Mark`s.

Every rule is linear in the text: what it searches for is found by `str.find` or by a
pattern that is bounded or possessive, and it looks at a bounded stretch around that.
"""
