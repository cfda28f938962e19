"""Roles for names, delegations, corrections and passive voice: who does it is the same."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, user

TALKS = [
    (
        "The board wants a new roof. Greta chairs the board, Anselm keeps the minutes. The chair signs the contract with the roofer.",
        "OK.",
        [
            "Greta signs the contract with the roofer.",
            "Anselm takes the minutes; the roof contract is signed by Greta as chair.",
        ],
    ),
    (
        "Could Mirko translate the manual? If not, ask Jelena.",
        "Mirko has no time, so I asked Jelena and she said yes.",
        ["Jelena translates the manual because Mirko has no time.", "The manual is translated by Jelena."],
    ),
    (
        "Kaito drives the van to Leeds. Aoife stays at the desk.",
        "Kaito called: he is sick. Aoife takes the van then.",
        ["Aoife drives the van to Leeds, Kaito is sick.", "Aoife drives the van since Kaito is ill."],
    ),
    (
        "Bitte teile die Räume auf: Raum 3 für Frau Sievers, Raum 5 für Herrn Demir. Herr Demir braucht den Beamer.",
        "Erledigt. Beamer steht in Raum 5.",
        [
            "Frau Sievers hat Raum 3, Herr Demir Raum 5 mit Beamer.",
            "The projector is in room 5 for Mr Demir; room 3 goes to Ms Sievers.",
        ],
    ),
    (
        "Lucie relit le chapitre 2 et Bastien le chapitre 4. Finalement Bastien est en congé, Lucie prend aussi le 4.",
        "D'accord.",
        ["Lucie relit les chapitres 2 et 4, Bastien est en congé.", "Le chapitre 4 est relu par Lucie."],
    ),
    (
        "Rosa pide las flores. El pastel lo encarga Mateo, que conoce al pastelero.",
        "Anotado: flores y pastel.",
        [
            "Mateo encarga el pastel y Rosa las flores.",
            "Cake: ordered by Mateo. Flowers: Rosa.",
            "El pastelero es conocido de Mateo; Rosa pide las flores.",
        ],
    ),
    (
        "Nina asked me whether the invoice was paid. I told her that Karl pays it on Friday.",
        "Noted.",
        [
            "Karl pays the invoice on Friday; Nina had asked about it.",
            "Nina asked about the invoice, which Karl will pay on Friday.",
        ],
    ),
    (
        "Delegate: Samir gets the server audit from Lena, she is swamped.",
        "Okay, moved the server audit to Samir.",
        [
            "Samir does the server audit instead of Lena.",
            "The server audit, formerly Lena's, is now Samir's.",
        ],
    ),
    (
        "Svetlana prüft die Rechnung, danach gibt Jan sie frei.",
        "Die Rechnung ist geprüft. Jan hat sie freigegeben.",
        [
            "Jan hat die von Svetlana geprüfte Rechnung freigegeben.",
            "Svetlana prüfte die Rechnung, Jan gab sie frei.",
            "The invoice was checked by Svetlana and released by Jan.",
        ],
    ),
    (
        "Paul and Iris both review the draft. Paul writes the abstract.",
        "Fine.",
        ["Iris reviews the draft as well as Paul.", "Iris reviews the draft; Paul writes the abstract."],
    ),
    (
        "Ольга готовит смету, Денис закупает краску. Если Денис не успеет, краску купит Ольга.",
        "Денис не успел.",
        ["Краску покупает Ольга, Денис не успел.", "Ольга готовит смету и покупает краску."],
    ),
    (
        "The key is with Mrs Obi, but she gave her spare one to Mr Lund on Monday.",
        "Ok.",
        ["Mr Lund has the spare key since Monday.", "Mrs Obi has the key, Mr Lund a spare one."],
    ),
    (
        "Tamsin: I'll book the hall. Ferris: and I bring the speakers.",
        "Noted both.",
        [
            "Tamsin books the hall, Ferris brings the speakers.",
            "The hall is booked by Tamsin; Ferris has the speakers.",
        ],
    ),
    (
        "Ask Yara who signs for the parcel.",
        "She says Tom signs for the parcel.",
        ["Tom signs for the parcel, says Yara.", "Yara said that Tom signs for the parcel."],
    ),
    (
        "Hallo, hier Birte. Ich hole die Pläne ab, Falk bringt das Werkzeug mit.",
        "Danke, Birte.",
        [
            "Birte holt die Pläne ab und Falk bringt das Werkzeug.",
            "Falk brings the tools, Birte fetches the plans.",
        ],
    ),
    (
        "山本さんに見積もりを頼みました。石田さんが確認します。",
        "見積もりは山本さんから届きました。",
        ["見積もりは山本さんが作成し、石田さんが確認する。", "山本さんの見積もりを石田さんが確認中。"],
    ),
    (
        "让小林写测试，老周改接口。小林请假了，测试也给老周。",
        "好的。",
        ["测试和接口都由老周负责，小林请假。", "老周写测试，小林请假。"],
    ),
    (
        "Ewa zamawia farbę, Marek maluje płot. Marek zadzwonił: płot maluje jednak Ewa.",
        "Dobrze.",
        ["Ewa maluje płot.", "Ewa orders the paint and paints the fence."],
    ),
    (
        "Giulia prepara le slide, Renzo porta il proiettore; Renzo deve anche prenotare la sala.",
        "Va bene.",
        [
            "La sala la prenota Renzo, che porta il proiettore. Giulia fa le slide.",
            "Renzo books the room and brings the projector, Giulia makes the slides.",
        ],
    ),
    (
        "Dr. Amsel wants the lab values before Dr. Falke sees the patient at 14:00.",
        "Dr. Falke sees the patient at 14:00; the values go to Dr. Amsel first.",
        [
            "Lab values to Dr. Amsel first, then the patient is seen by Dr. Falke at 14:00.",
            "At 14:00 Falke sees the patient; Amsel wants the values before.",
        ],
    ),
]


@pytest.mark.parametrize(
    ("asked", "answered", "body"),
    [(asked, answered, one) for asked, answered, bodies in TALKS for one in bodies],
)
def test_who_does_it_is_left_alone(asked, answered, body):
    found = compacted([user(asked), assistant(answered)], body=body).measured().deviations
    assert [one for one in found if one.rule == "said-of-another" or one.grade is Grade.CONTRADICTS] == []
