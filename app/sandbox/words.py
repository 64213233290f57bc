"""The sandbox's words in Japanese and English. It stands apart from the house, so it keeps its own table."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from flask import Request

from app.config import LANGUAGES
from app.sandbox.calls import JAPAN

LANGUAGE_COOKIE = "todoke_sandbox_language"

# (Japanese, English)
WORDS: dict[str, tuple[str, str]] = {
    "title": ("LINEサンドボックス", "LINE sandbox"),
    "strip": (
        "これはLINEとプッシュサービスの代役です。ここに届いたものはこのパソコンの外には出ません。",
        "This stands in for LINE and for a push service. What arrives here does not leave this computer.",
    ),
    "intro": (
        "Todokeが送ったものを、LINEやブラウザーの通知で見える形で表示します。時刻は日本時間です。",
        "What Todoke sends appears here as LINE or a browser would show it. Times are Japan time.",
    ),
    "start_title": ("LINEの2通目はわざと断ります", "The second LINE message will be refused on purpose"),
    "start_text": (
        "新しいサンドボックスは、LINEへの2回目の送信に429（レート制限）を返します。Todokeの配信一覧で失敗を確かめ、"
        "「再送する」を押してください。こんどは届きます。",
        "A fresh sandbox answers LINE’s second push with 429 (rate limit). Find the failed delivery in Todoke and "
        "press Retry: then it arrives.",
    ),
    "chat": ("届いたメッセージ", "Received messages"),
    "newest_first": ("新しい順", "newest first"),
    "reload": ("再読み込み", "Reload"),
    "empty": (
        "まだ何も届いていません。Todokeが送ると、ここに表示されます。",
        "Nothing has arrived yet. What Todoke sends will appear here.",
    ),
    "totals": (
        "届いた送信 {accepted}件 · 受けたリクエスト {calls}件",
        "Delivered pushes: {accepted} · requests: {calls}",
    ),
    "older": ("さらに古いもの", "Older"),
    "newest": ("最新に戻る", "Back to the newest"),
    "to_user": ("宛先", "To"),
    "to_group": ("宛先（グループ）", "To group"),
    "to_device": ("宛先（ブラウザー）", "To browser"),
    "to_room": ("宛先（ルーム）", "To room"),
    "in_list": ("トーク一覧での表示", "In the chat list"),
    "untitled": ("（タイトルなし）", "(no title)"),
    "click_opens": ("押すと開くページ", "A click opens"),
    "click_opens_nothing": (
        "押しても開きません（このサイトのページではありません）",
        "A click opens nothing: no page of this site",
    ),
    "tag": ("タグ", "Tag"),
    "ttl": ("預かる時間", "Kept for"),
    "seconds": ("{count}秒", "{count} s"),
    "urgency": ("緊急度", "Urgency"),
    "topic": ("トピック", "Topic"),
    "shop": ("見本のショップ", "Sample shop"),
    "shop_text": (
        "商品ページのアドレスをTodokeの「価格ウォッチ」の「ページをウォッチする」に貼り付けてください。ここで値段や在庫を変えると、ページも変わります。",
        "Paste the address of a product into Todoke’s price watches. Change price or stock here, and the page changes.",
    ),
    "shop_switches": ("値段と在庫を変える", "Change price and stock"),
    "shop_price": ("￥{price}(税込)", "¥{price}"),
    "shop_yen": ("値段（円）", "Price (yen)"),
    "shop_stock": ("在庫", "Stock"),
    "shop_in": ("在庫あり", "In stock"),
    "shop_out": ("在庫なし", "Sold out"),
    "shop_conduct": ("ページの応答", "The page answers"),
    "shop_ordinary": ("ふつうに表示する", "as usual"),
    "shop_rate_limit": ("429（レート制限）を返す", "429 (rate limit)"),
    "shop_error": ("500（サーバーエラー）を返す", "500 (server error)"),
    "shop_slow": ("6秒待ってから表示する", "after 6 seconds"),
    "shop_new_form": ("商品データのないページにする", "without product data"),
    "shop_set": ("変更する", "Change"),
    "shop_fault": ("値段を1から10,000,000までの整数で入力してください。", "Enter a price from 1 to 10,000,000."),
    "notification": ("通知", "notification"),
    "not_drawn": ("{kind} メッセージ（ここでは描きません）", "{kind} message (not drawn here)"),
    "picture": ("画像", "Picture"),
    "carousel": ("横に並んだ吹き出し", "Bubbles side by side"),
    "key": ("リトライキー", "key"),
    "no_key": ("リトライキーなし", "no retry key"),
    "request": ("リクエスト", "request"),
    "details": ("詳細", "Details"),
    "recipient": ("宛先ID", "Recipient ID"),
    "retry_key": ("リトライキー", "Retry key"),
    "request_id": ("リクエストID", "Request ID"),
    "sent_ids": ("メッセージID", "Message IDs"),
    "json": ("受け取ったJSON", "JSON received"),
    "none": ("なし", "none"),
    "line_refused": ("届いていません", "Nothing delivered"),
    "line_duplicate": ("もう一度は届けませんでした（受付済み）", "Already accepted, not delivered again"),
    "line_accepted": ("届きましたが、送り手には伝わっていません", "Delivered, but the sender was not told so"),
    "answered": ("応答", "answered"),
    "no_answer_silence": ("応答なし（時間切れまで待たせた）", "no answer (kept waiting until time-out)"),
    "no_answer_cut": ("応答なし（接続を切断）", "no answer (connection cut)"),
    "on_purpose": ("わざと（「次の応答」の設定）", "on purpose (set under “Next answers”)"),
    "next": ("次の応答", "Next answers"),
    "next_text": (
        "これから来るLINEへの送信の応答を、順番に1つずつ決められます。形の正しくないリクエストは数えません。",
        "Choose how LINE’s next pushes are answered, one after another. Malformed requests do not use one up.",
    ),
    "next_none": ("設定なし：すべて通常どおりに応答します。", "None set: every push gets LINE’s ordinary answer."),
    "then_ordinary": ("そのあとは通常どおり", "then ordinary answers"),
    "answer": ("応答", "Answer"),
    "count": ("回数", "How many times"),
    "add": ("応答を追加", "Add the answer"),
    "clear": ("設定をすべて消す", "Remove all of them"),
    "answer_ordinary": ("通常どおり", "Ordinary"),
    "answer_rate_limit": ("429 レート制限", "429 rate limit"),
    "answer_monthly_limit": ("429 月の上限", "429 monthly limit"),
    "answer_server_error_before": ("500 受け付ける前", "500 before accepting"),
    "answer_server_error_after": ("500 受け付けた後", "500 after accepting"),
    "answer_silence_after": ("受け付けた後、応答せず時間切れ", "Time-out after accepting"),
    "answer_cut_before": ("受け付ける前に切断", "Connection cut before accepting"),
    "answer_cut_after": ("受け付けた後に切断", "Connection cut after accepting"),
    "answer_bad_request": ("400 リクエストの誤り", "400 bad request"),
    "answer_unauthorized": ("401 認証の失敗", "401 unauthorized"),
    "month": ("今月の送信数", "This month"),
    "used": ("{limit}通のうち{used}通を使用", "{used} of {limit} messages used"),
    "limit": ("月の上限（通）", "Monthly limit (messages)"),
    "set_limit": ("上限を変える", "Change the limit"),
    "forget": ("すべて忘れる", "Forget everything"),
    "forget_text": (
        "メッセージもリトライキーの記憶も消して、最初からやり直します。",
        "Erase the messages and the memory of retry keys, and start over.",
    ),
    "forget_link": ("すべて忘れる…", "Forget everything…"),
    "forget_effect": (
        "リクエスト{calls}件（うち届いた送信{accepted}件）を消します。元に戻せません。",
        "This erases {calls} requests, {accepted} of them delivered pushes. It cannot be undone.",
    ),
    "forget_keys": (
        "リトライキーも忘れます。そのあとで同じキーの再送が来ると、2通目として届きます。",
        "Retry keys are forgotten too: a retry with an old key then arrives as a second message.",
    ),
    "forget_start": (
        "「次の応答」と月の上限は最初の状態に戻り、2回目の送信にはまた429を返します。",
        "Next answers and the monthly limit go back to the start: the second push is answered 429 again.",
    ),
    "back": ("やめて戻る", "Go back"),
    "fault_answer": ("「応答」は一覧から選んでください。", "Answer: choose one from the list."),
    "fault_count": ("「回数」は1から20までの整数にしてください。", "How many times: a whole number from 1 to 20."),
    "fault_full": (
        "「次の応答」は合わせて100個までです。減らすか、先に消してください。",
        "Next answers: 100 in all at most. Add fewer, or remove some first.",
    ),
    "fault_limit": (
        "「月の上限」は0から1000000までの整数にしてください。",
        "Monthly limit: a whole number from 0 to 1000000.",
    ),
    "error_400": ("リクエストの形が正しくありません。", "The request is malformed."),
    "error_403": (
        "このフォームはサンドボックスのページから送られたものではありません。ページを開いてやり直してください。",
        "This form was not sent from the sandbox’s page. Open the page and try again there.",
    ),
    "error_404": ("このページはありません。", "There is no such page."),
    "error_405": ("このページはその方法では開けません。", "This page cannot be opened that way."),
    "error_413": ("送られた内容が大きすぎます（2 MBまで）。", "What was sent is too large (2 MB at most)."),
    "error_500": (
        "サンドボックスの内部で誤りが起きました。端末の表示を確かめてください。",
        "The sandbox itself failed. Look at its output in the terminal.",
    ),
    "home": ("サンドボックスへ", "To the sandbox"),
    "theirs": ("English", "日本語"),
}

_WEEKDAYS = {"ja": "月火水木金土日", "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")}
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def language_of(request: Request) -> str:
    """The language asked for: in the address, else in the cookie, else by the browser, else Japanese."""
    for wish in (request.args.get("lang"), request.cookies.get(LANGUAGE_COOKIE)):
        if wish in LANGUAGES:
            return wish
    return request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]


def words_for(request: Request) -> dict[str, Any]:
    """What every template needs: `w`, which says a word of the table, `lang` and the other language."""
    lang = language_of(request)
    return {"w": sayer(lang), "lang": lang, "other": next(one for one in LANGUAGES if one != lang)}


def sayer(lang: str) -> Callable[..., str]:
    """A function that says a word of the table in this language, its blanks filled."""
    place = LANGUAGES.index(lang)

    def say(word: str, **blanks: object) -> str:
        return WORDS[word][place].format(**blanks)

    return say


def moment(at: datetime, lang: str) -> str:
    """An instant in Japan time: 11月30日(月) 17:05:09 or Mon 30 Nov, 17:05:09."""
    local = at.astimezone(JAPAN)
    weekday = _WEEKDAYS[lang][local.weekday()]
    if lang == "ja":
        return f"{local.month}月{local.day}日({weekday}) {local:%H:%M:%S}"
    return f"{weekday} {local.day} {_MONTHS[local.month - 1]}, {local:%H:%M:%S}"
