"""Short conversations about everyday things, in many languages."""

from hermes_sessions.demo.agent_record import Ledger
from hermes_sessions.demo.talk import StorySetting, Talk

_SCRIPTS: tuple[tuple[str, str, float, str], ...] = (
    (
        "Sourdough in the fridge",
        "telegram",
        0.15,
        """
» How long does a starter keep in the fridge if I forget to feed it?
Two weeks without worry, two months with a sad smell. The grey water on top is alcohol: pour it off, feed
equal weights of flour and water, and give it two or three days at room temperature.
» It is five weeks. Still worth it?
Yes. If it doubles within eight hours after the second feeding, bake with it.
""",
    ),
    (
        "Three days in Lisbon",
        "discord",
        4.6,
        """
» Plan three days in Lisbon for someone who hates queues.
| Day | Morning | Afternoon | Evening |
|---|---|---|---|
| 1 | Graça on foot | Tile museum | Fado in Mouraria |
| 2 | Ferry to Cacilhas | Ginjal quay | Fish at the river |
| 3 | Gulbenkian gardens | Modern art centre | Miradouro da Penha |

Nothing on it sells timed tickets. 🚋
» What if it rains on day 2?
Swap the ferry for the Carris tram museum: dry, quiet, and you can sit in the old cars.
""",
    ),
    (
        "Bike gear skips",
        "whatsapp",
        9.1,
        """
» My bike skips in the two smallest gears only. New chain last month.
Then it is the cassette: worn small sprockets reject a new chain, and it shows first where you pedal hardest.
» Can I just change two sprockets?
The smallest one yes, it is loose. The next ones are usually riveted together, so you would buy the cassette.
""",
    ),
    (
        "A toast for Jonas",
        "cli",
        16.8,
        """
» I need a toast for my brother's wedding. Two minutes, no jokes about his exes.
Start with the ladder: the summer he carried it through town because you had lost your key. End on this: "He
never asks why you are locked out. He just brings the ladder. Lena, you married a man with a ladder."
» That is perfect, thank you.
""",
    ),
    (
        "Sort a list six ways",
        "tui",
        12.3,
        """
» Show me "sort people by age, then name" in six languages.
```python
people.sort(key=lambda p: (p.age, p.name))
```
```rust
people.sort_by(|a, b| a.age.cmp(&b.age).then_with(|| a.name.cmp(&b.name)));
```
```typescript
people.sort((a, b) => a.age - b.age || a.name.localeCompare(b.name));
```
```sql
SELECT * FROM people ORDER BY age, name;
```
```go
slices.SortFunc(people, func(a, b Person) int {
    return cmp.Or(cmp.Compare(a.Age, b.Age), strings.Compare(a.Name, b.Name))
})
```
```bash
sort -t, -k2,2n -k1,1 people.csv
```
» The Go one is prettier than I expected.
`cmp.Or` arrived in 1.22; before that it was an if.
""",
    ),
    (
        "京都の紅葉",
        "telegram",
        7.4,
        """
» 京都の紅葉、静かに見られる場所はありますか？
はい。午前八時前の真如堂がおすすめです。有名な寺より人が少なく、本堂の裏の楓が特にきれいです。
» 駅からどう行けばいいですか？
市バス5番で「真如堂前」まで約四十分、そこから坂を八分ほど歩きます。
""",
    ),
    (
        "数据库索引为什么没用上",
        "weixin",
        10.9,
        """
» 我给 `created_at` 建了索引，但是查询还是全表扫描，为什么？
因为条件里写的是 `date(created_at) = '2026-11-01'`。列外面包了函数，索引就用不上了。改成范围查询：
`created_at >= '2026-11-01' AND created_at < '2026-11-02'`。
» 改完从三秒变成八毫秒，谢谢！
不客气。提交之前记得用 `EXPLAIN` 再确认一次。
""",
    ),
    (
        "김치찌개 간 맞추기",
        "telegram",
        13.7,
        """
» 김치찌개가 너무 시어요. 어떻게 하죠?
설탕 반 작은술과 된장 한 숟갈을 넣고 십 분 더 끓이세요. 신맛이 둥글어집니다.
» 훨씬 낫네요!
""",
    ),
    (
        "قصة قصيرة عن البحر",
        "telegram",
        18.2,
        """
» اكتب لي بداية قصة قصيرة عن صياد عجوز.
كان العم سالم يعرف البحر كما يعرف كفّه: كل موجة فيه تذكّره باسم.
وفي ذلك الصباح نادته موجة باسمٍ لم يسمعه منذ أربعين سنة.
» جميل. من ناداه؟
أخوه الصغير، الذي أعار مركبه للريح ولم يُعِدْه أحد.
""",
    ),
    (
        "מתכון לשקשוקה",
        "whatsapp",
        20.5,
        """
» כמה ביצים לשקשוקה לשלושה אנשים?
שש ביצים, שתיים לכל אחד. צמצמו את הרוטב (400 גרם עגבניות) לפני שמוסיפים אותן.
» ואפשר עם feta?
בטח, 100 גרם, בסוף.
""",
    ),
    (
        "Как пересадить фикус",
        "telegram",
        22.1,
        """
» Фикус сбросил листья после пересадки. Он погибнет?
Скорее всего, нет: он привыкает. Не переставляйте его и поливайте, только когда верхние три сантиметра сухие.
» Спасибо, подожду.
""",
    ),
    (
        "Emoji recipes 🍜🥕",
        "signal",
        23.6,
        """
» Dinner ideas, but only in emoji 👩‍🍳
🍝 + 🍅 + 🌿 → 20 min
🍚 + 🥚 + 🧅 + 🔥 → 10 min
🥔 + 🧀 + 🥓 → 45 min 🕰️
» Second one it is 👍🏽
""",
    ),
    (
        "हिंदी में ईमेल",
        "email",
        25.3,
        """
» मकान मालिक को एक विनम्र ईमेल लिखो कि नल टपक रहा है।
आदरणीय महोदय, रसोई का नल तीन दिन से टपक रहा है। क्या इस सप्ताह कोई मिस्त्री भेज सकते हैं? सादर।
» बढ़िया।
""",
    ),
    (
        "Half-life homework",
        "api_server",
        26.4,
        """
» A sample has 80 mg left after 24 days, the half-life is 8 days. How much was there?
24 days are three half-lives, so it was halved three times: 80 · 2³ = **640 mg**.
» And after 40 days in total?
Two more halvings: 80 / 4 = 20 mg.
""",
    ),
    (
        "Garden frost alarm",
        "homeassistant",
        27.8,
        """
» Tell me the evening before a frost, not at the frost.
I will look at the forecast at 18:00 and write when the night goes below 1 °C. Tonight: 4 °C, nothing to do.
""",
    ),
)


def short_talks(ledger: Ledger) -> None:
    """All the short dialogues."""
    for title, source, days_ago, script in _SCRIPTS:
        talk = Talk(
            ledger, StorySetting(title=title, source=source, days_ago=days_ago, model="claude-haiku-4.5")
        )
        talk.tell(script)
        if days_ago > 5:
            talk.end("cli_close" if source == "cli" else "idle_timeout")


def untitled(ledger: Ledger) -> None:
    """A conversation without a title, and a session without a message."""
    Talk(ledger, StorySetting(title=None, days_ago=0.05)).tell("""
» what was the name of that tool that draws boxes around git history
You may mean `git log --graph`, or `tig` when you want to walk around in it.
""")
    Talk(ledger, StorySetting(title=None, days_ago=2.9, source="tui")).end("tui_close")


def put_away(ledger: Ledger) -> None:
    """A conversation its user archived."""
    talk = Talk(
        ledger, StorySetting(title="Old flat: deposit letter", days_ago=33.0, columns={"archived": 1})
    )
    talk.tell("""
» The landlord keeps 300 of my deposit for "wear". Write to him.
Wear from ordinary living is his to bear. I kept the letter to four sentences and set a date: two weeks.
""")
    talk.end("cli_close")


STORIES = (short_talks, untitled, put_away)
