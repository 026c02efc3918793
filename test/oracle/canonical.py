"""A second implementation of CANONICAL.md, written from that page alone. Python standard library only.

Reads one JSON request per line on stdin and prints one JSON answer per line:
  {"payload": ...}           -> canonical bytes of that payload
  {"raw": "JSON text"}       -> the text read strictly, then as a payload
  {"value": ..., "form": n}  -> canonical text of any value in form n
Answers: {"canonical_hex", "sha256"}, with "hmac_sha256" for a payload of form 1, or {"refused", "path"}.
"""

import hashlib
import hmac
import json
import math
import re
import sys
from decimal import Decimal

HMAC_SECRET = b"demo-user-signing-secret"
SAFE = 2**53 - 1
MAX_BYTES = 65536
MAX_DEPTH = 64
MAX_TEXT_DEPTH = 72


class Refused(Exception):
    def __init__(self, code, path):
        super().__init__(code)
        self.code = code
        self.path = path


# --- paths (section 4) ---------------------------------------------------------------------------


def form1_string(text):
    out = ['"']
    for char in text:
        code = ord(char)
        if char in SHORT_ESCAPES:
            out.append(SHORT_ESCAPES[char])
        elif 0x20 <= code < 0x7F:
            out.append(char)
        elif code > 0xFFFF:
            high, low = divmod(code - 0x10000, 0x400)
            out.append("\\u%04x\\u%04x" % (0xD800 + high, 0xDC00 + low))
        else:
            out.append("\\u%04x" % code)
    out.append('"')
    return "".join(out)


SHORT_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
}


def member(path, name):
    if re.fullmatch(r"[A-Za-z_$][A-Za-z0-9_$]*", name):
        return path + "." + name if path else name
    return path + "[" + form1_string(name) + "]"


def item(path, index):
    return "%s[%d]" % (path, index)


# --- canonical text (sections 2 and 3) -----------------------------------------------------------


def form2_string(text):
    out = ['"']
    for char in text:
        if char in SHORT_ESCAPES:
            out.append(SHORT_ESCAPES[char])
        elif ord(char) < 0x20:
            out.append("\\u%04x" % ord(char))
        else:
            out.append(char)
    out.append('"')
    return "".join(out)


def has_lone_surrogate(text):
    """A Python string holds code points, so a surrogate in it has no partner."""
    return any(0xD800 <= ord(char) <= 0xDFFF for char in text)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def exact(value, path, code="MalformedPayload"):
    """The value as an int where it is one; refuses what section 2 has no room for."""
    if isinstance(value, float):
        if not math.isfinite(value) or (value == 0 and math.copysign(1, value) < 0):
            raise Refused(code, path)
        if value.is_integer():
            value = int(value)
    if abs(value) > SAFE:
        raise Refused(code, path)
    return value


def fraction(value):
    """Number::toString of a double with a fraction. repr gives the shortest digits; the layout is section 3's."""
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    digits = "".join(map(str, digits))
    point = len(digits) + exponent
    if point > 0:
        text = digits[:point] + "." + digits[point:]
    elif point > -6:
        text = "0." + "0" * -point + digits
    else:
        text = digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + "e%d" % (point - 1)
    return "-" + text if sign else text


def number(value, form, path):
    value = exact(value, path)
    if isinstance(value, int):
        return str(value)
    if form == 1:
        raise Refused("MalformedPayload", path)
    return fraction(value)


def canonical(value, form, path="", depth=1):
    string = form1_string if form == 1 else form2_string
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if is_number(value):
        return number(value, form, path)
    if isinstance(value, str):
        if has_lone_surrogate(value):
            raise Refused("MalformedPayload", path)
        return string(value)
    if depth > MAX_DEPTH:
        raise Refused("MalformedPayload", path)
    if isinstance(value, list):
        inner = (canonical(x, form, item(path, i), depth + 1) for i, x in enumerate(value))
        return "[" + ",".join(inner) + "]"
    for name in value:
        if has_lone_surrogate(name):
            raise Refused("MalformedPayload", member(path, name))
    names = sorted(value) if form == 1 else sorted(value, key=lambda n: n.encode("utf-16-be"))
    return (
        "{"
        + ",".join(
            string(n) + ":" + canonical(value[n], form, member(path, n), depth + 1) for n in names
        )
        + "}"
    )


# --- the payload (section 1) ---------------------------------------------------------------------


def is_text(value):
    return isinstance(value, str)


def is_word(value):
    return isinstance(value, str) and value != ""


def is_seconds(value):
    return is_number(value) and value == math.floor(value) and 1 <= value <= SAFE


FORM_1 = {
    "cmd": is_word,
    "args": lambda value: isinstance(value, dict),
    "rar_type": is_word,
    "exp": is_seconds,
    "approver_id": is_word,
    "binding_message": is_text,
}
FORM_2 = dict(
    FORM_1,
    v=lambda value: is_number(value) and value == 2,
    aud=is_word,
    client_id=is_word,
    nonce=is_word,
)


def form_of(payload):
    return 2 if isinstance(payload, dict) and "v" in payload else 1


def payload_bytes(payload):
    if not isinstance(payload, dict):
        raise Refused("MalformedPayload", "")
    members = FORM_2 if form_of(payload) == 2 else FORM_1
    for name in payload:
        if name not in members:
            raise Refused("MalformedPayload", member("", name))
    for name, holds in members.items():
        if name not in payload or not holds(payload[name]):
            raise Refused("MalformedPayload", name)
    data = canonical(payload, form_of(payload)).encode("utf-8")
    if len(data) > MAX_BYTES:
        raise Refused("PayloadTooLarge", "")
    return data


# --- reading a JSON text strictly (section 4, MalformedJson) -------------------------------------

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
UNICODE_ESCAPE = re.compile(r"u([0-9A-Fa-f]{4})")
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Text:
    def __init__(self, text):
        self.text = text
        self.at = 0

    def refuse(self, path):
        raise Refused("MalformedJson", path)

    def peek(self):
        while self.at < len(self.text) and self.text[self.at] in " \t\n\r":
            self.at += 1
        return self.text[self.at : self.at + 1]

    def take(self, char):
        found = self.peek() == char
        self.at += found
        return found

    def need(self, char, path):
        if not self.take(char):
            self.refuse(path)

    def document(self):
        value = self.value("", 1)
        if self.peek():
            self.refuse("")
        return value

    def value(self, path, depth):
        char = self.peek()
        if char in ("{", "["):
            if depth > MAX_TEXT_DEPTH:
                self.refuse(path)
            return self.object(path, depth) if char == "{" else self.list(path, depth)
        if char == '"':
            text = self.string(path)
            if has_lone_surrogate(text):
                self.refuse(path)
            return text
        for word, value in (("null", None), ("true", True), ("false", False)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        return self.number(path)

    def object(self, path, depth):
        self.need("{", path)
        members = {}
        if self.take("}"):
            return members
        while True:
            if self.peek() != '"':
                self.refuse(path)
            name = self.string(path)
            here = member(path, name)
            if has_lone_surrogate(name) or name in members:
                self.refuse(here)
            self.need(":", here)
            members[name] = self.value(here, depth + 1)
            if not self.take(","):
                break
        self.need("}", path)
        return members

    def list(self, path, depth):
        self.need("[", path)
        items = []
        if self.take("]"):
            return items
        while True:
            items.append(self.value(item(path, len(items)), depth + 1))
            if not self.take(","):
                break
        self.need("]", path)
        return items

    def string(self, path):
        self.need('"', path)
        units = []
        while True:
            char = self.text[self.at : self.at + 1]
            self.at += 1
            if char == '"':
                # Two escaped surrogates, or one escaped and one raw, may be a pair: join them by way of UTF-16.
                data = "".join(units).encode("utf-16-be", "surrogatepass")
                return data.decode("utf-16-be", "surrogatepass")
            if char < " ":
                self.refuse(path)
            units.append(self.escape(path) if char == "\\" else char)

    def escape(self, path):
        match = UNICODE_ESCAPE.match(self.text, self.at)
        if match:
            self.at = match.end()
            return chr(int(match.group(1), 16))
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if char not in ESCAPES:
            self.refuse(path)
        return ESCAPES[char]

    def number(self, path):
        match = NUMBER.match(self.text, self.at)
        if not match:
            self.refuse(path)
        self.at = match.end()
        mantissa = re.split("[eE]", match.group())[0]
        value = float(match.group())
        if value == 0 and re.search("[1-9]", mantissa):
            self.refuse(path)
        return exact(value, path, "MalformedJson")


# --- requests ------------------------------------------------------------------------------------


def answer(request):
    try:
        if "value" in request:
            data = canonical(request["value"], request["form"]).encode("utf-8")
            return {"canonical_hex": data.hex(), "sha256": hashlib.sha256(data).hexdigest()}
        payload = Text(request["raw"]).document() if "raw" in request else request["payload"]
        data = payload_bytes(payload)
    except Refused as refused:
        return {"refused": refused.code, "path": refused.path}
    result = {"canonical_hex": data.hex(), "sha256": hashlib.sha256(data).hexdigest()}
    if form_of(payload) == 1:
        result["hmac_sha256"] = hmac.new(HMAC_SECRET, data, hashlib.sha256).hexdigest()
    return result


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))))
