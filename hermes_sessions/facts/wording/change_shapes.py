"""How people say that a file was changed, in the languages that are read."""

import re
from typing import Final

from hermes_sessions.facts.gates import gate
from hermes_sessions.facts.wording.words import shape
from hermes_sessions.late_patterns import late_pattern

CHANGED_WORDS: Final = gate(
    *(
        "chang modif updat edit rewr creat add wrote fix remov delet renam refactor patch rais lower switch replac mov extend adjust bump introduc implement touch"
        " geändert angepasst angelegt erstellt hinzugefügt aktualisiert gelöscht umbenannt geschrieben überarbeitet korrigiert behoben ersetzt ergänzt entfernt"
        " cré ajout corrig supprim renomm remplac édit mis réécri actualiz cread añad agreg correg elimin cambi alter atualiz cria criei adicion removi mudei actualicé creé"
        " aggiornat aggiunt corrett rimoss sostituit измен обнов создан создал исправ добавл удал перепис поправ заменил"
        " 修改 创建 新增 更新 编辑 添加 删除 调整 改动 变更 変更 修正 作成 追加 編集 削除 書き換え 수정 변경 추가 생성 업데이트 삭제 바꿨 고쳤"
        " güncelle değiştir ekle oluştur düzelt düzenle sil बदल अपडेट जोड़ बनाय संशोधित ठीक عد تم أنشأت أضفت حد غي أصلحت"
    ).split()
)
"""One of them is in all that `CHANGED` matches."""
CHANGED: Final = shape(
    r"\b(?:changed|modified|updated|edited|rewrote|rewritten|created|added|wrote|fixed|removed|deleted|renamed|refactored|patched|raised|lowered|switched|replaced|moved|extended|adjusted|bumped|introduced|implemented|touched)\b",
    r"\b(?:geändert|angepasst|angelegt|erstellt|hinzugefügt|aktualisiert|gelöscht|umbenannt|geschrieben|überarbeitet|korrigiert|behoben|ersetzt|ergänzt|entfernt)\w{0,2}\b",
    r"\b(?:modifi|cré|ajout|corrig|supprim|renomm|remplac|chang|édit)é(?:e|s|es)?\b|\bmis(?:e|es)? à jour\b|\bréécrit\w?\b",
    r"\b(?:modificad|actualizad|cread|añadid|agregad|corregid|eliminad|cambiad|editad|alterad|atualizad|criad|adicionad|corrigid|removid)[oa]s?\b|\b(?:modifiqué|actualicé|creé|añadí|agregué|corregí|eliminé|cambié|edité|alterei|atualizei|criei|adicionei|corrigi|removi|mudei)\b",
    r"\b(?:modificat|aggiornat|creat|aggiunt|corrett|cambiat|rimoss|sostituit)[oaie]\b",
    r"\b(?:измен|обновл|создан|исправл|добавл|удал|переписан|поправ|обнов|создал|исправ|заменил|переписал)[а-яё]{0,4}\b",
    r"(?:已|了|的)?(?:修改|创建|新增|更新|编辑|添加|删除|调整|改动|变更)(?:了|过|的文件|文件|完)|已(?:修改|创建|新增|更新|编辑|添加|调整)|(?:变更|修正|更新|変更|修正|更新|作成|追加|編集|削除)(?:し|した|済|ファイル)|書き換え(?:た|まし)",
    r"(?:수정|변경|추가|생성|업데이트|삭제)(?:했|하였|한|된|되었|됐)|바꿨|고쳤|\b(?:güncelle|değiştir|ekle|oluştur|düzelt|düzenle|sil)(?:dim|dik|ndi|ildi|di|nen|ilen|len)\b|(?:बदल|अपडेट|जोड़|बनाय|संशोधित|ठीक कि)\S{0,6}",
    r"عد[ّ]?لت|المعد[ّ]?لة|تم (?:تعديل|تحديث|إنشاء|تغيير|إصلاح|حذف)|أنشأت|أضفت|حد[ّ]?ثت|غي[ّ]?رت|أصلحت",
)
NOT_CHANGED: Final = shape(
    r"\b(?:will|would|should|shall|could|can|may|must|need(?:s|ed)? to|going to|to be|not|n't|n’t|never|without|plan(?:ned)? to|let me|i'll|next step)\b|\b(?:nicht|werde|wird|werden|soll\w*|muss|müssen|kann)\b|\b(?:ne|n['’]\w+) .{0,20}pas\b|\bno (?:he|se|fue|ha|debe|foi)\b|\bnão\b|\bnon (?:ho|è|sono|deve)\b|\bне\b|\b(?:нужно|надо|будет|следует|осталось)\b|没有?|未|需要|あり?ません|ない|지 않|않았|नहीं|\blم\b|لم |سوف|^\W*(?:todo|next)",
)
CHANGED_HEADING: Final = shape(
    r"\bfiles? (?:changed|modified|touched|edited|updated|created|added)\b|\b(?:changed|modified|touched|edited|updated|created|new)(?: the)?(?: following)? files?\b|^(?:changes|changed|what (?:i|we) (?:changed|did))\b|^modified\b",
    r"geänderte\w? dateien|^geändert|änderungen|fichiers? (?:modifi|cré|chang)|^modifi|archivos? (?:modificad|cread|cambiad)|^cambios|arquivos? (?:alterad|modificad|criad)|^alteraç|file (?:modificat|creat|cambiat)|^modifiche",
    r"(?:измен|обновл|созданн)\w* файл|файлы.{0,3} измен|^изменен|(?:修改|变更|更新|改动|涉及)的?文件|变更内容|(?:変更|修正|更新|作成)(?:した)?ファイル|変更点|(?:변경|수정)(?:된|한)? ?파일|변경 사항|الملفات (?:المعد|المحد|التي)|(?:değiştirilen|güncellenen) dosya|बदली (?:गई )?फ़ाइल",
)
ONLY_NAMED: Final = late_pattern(
    r"(?:\b(?:see|from|like|of|run|ran|by|against|siehe|aus|laut|with|using|reads?|imports?|calls?|than|via|per|voir|depuis|selon|ver|desde|según|см\.|из|согласно|run via|running|matches)[ ]|参见|请看|根据|从|参照)[`\"'(]{0,2}$",
    re.I,
)
"""Before a path: what only names it."""
