"""Targets that lead, or could be read as leading, to another host."""

EVIL = "evil.example"
ELSEWHERE = [
    f"//{EVIL}", f"///{EVIL}", f"////{EVIL}", f"/////{EVIL}/a?b", f"https://{EVIL}", f"https:{EVIL}",
    f"javascript:alert('{EVIL}')", f"data:text/html,{EVIL}", f"/\\{EVIL}", f"\\\\{EVIL}", f"/\\/{EVIL}",
    f"\\/{EVIL}", f"\n/{EVIL}", f"/\n/{EVIL}", f"/\t/{EVIL}", f"\t//{EVIL}", f" //{EVIL}", f"/ /{EVIL}",
    f"/\r\nLocation: //{EVIL}", f"/\x00/{EVIL}", f"/\x7f/{EVIL}", f"/\x85/{EVIL}", f"/\u2028/{EVIL}",
    f"/%2f{EVIL}", f"/%2F%2F{EVIL}", f"/%252f{EVIL}", f"%2f%2f{EVIL}", f"/%5c{EVIL}", f"/%09/{EVIL}",
    f"/%0d%0aLocation:%20//{EVIL}", f"/.//{EVIL}", f"/..//{EVIL}", f"/a/..//{EVIL}", f"/../../{EVIL}",
    f"/./{EVIL}", f"/{EVIL}//x", f"/;//{EVIL}", f"/#//{EVIL}", f"/\uff0f{EVIL}", f"/\u2215/{EVIL}",
    f"//{EVIL}@127.0.0.1", f"//[::1]@{EVIL}", f"/?a=%0d%0aLocation: //{EVIL}",
    f"/?a=%0d%0aLocation:%20//{EVIL}", f"/?a=%250d%250aLocation:%20//{EVIL}", f"?//{EVIL}", f"@{EVIL}",
    f".{EVIL}",
]  # fmt: skip
