"""Writes test/vectors/*.json from the cases below: python3 test/vectors/generate.py

Bytes come from the oracle (test/oracle/canonical.py), never from the TypeScript under test. For form 1 they must
also equal Python's own json.dumps, and a refusal must be the one the case asks for.
"""

import json
import struct
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent / "oracle"))
import canonical  # noqa: E402

MINIMAL = {
    "cmd": "delete-task",
    "args": {"task_id": "t-42"},
    "rar_type": "tasktracker_task_action",
    "exp": 1779315522,
    "approver_id": "alice@example.com",
    "binding_message": "Delete the task t-42?",
}
FORM_2 = {
    "v": 2,
    "aud": "https://rs.example.com",
    "client_id": "agent-7",
    "nonce": "kR3vYw0bq1o9c0kQ2m5jv8VfYcUe0xqSgJY1o7mZQhE",
}


def form1(**changes):
    return {**MINIMAL, **changes}


def form2(**changes):
    return {**MINIMAL, **FORM_2, **changes}


def without(payload, name):
    return {key: value for key, value in payload.items() if key != name}


def nested(depth, wrap=lambda inner: {"k": inner}, inner=1):
    for _ in range(depth):
        inner = wrap(inner)
    return inner


ARGS = [
    ("minimal", MINIMAL["args"]),
    ("nested keys sorted", {"z": {"b": 1, "a": {"d": 4, "c": 3}}, "a": [{"y": 1, "x": 2}]}),
    ("list order kept ab", {"tags": ["a", "b"]}),
    ("list order kept ba", {"tags": ["b", "a"]}),
    ("booleans and null", {"t": True, "f": False, "n": None}),
    ("true is not 1", {"t": 1, "f": 0}),
    ("empty containers", {"o": {}, "l": [], "s": ""}),
    ("empty args", {}),
    ("nested empty containers", {"a": [[], {}, [[]], [{}]]}),
    ("astral after BMP key", {"\uff5e": 1, "\U0001f600": 2, "a": 3}),
    ("astral and U+FF5E keys share a prefix", {"x\uff5e": 1, "x\U0001f600": 2, "x": 3}),
    ("astral keys and U+D7FF", {"\ud7ff": 1, "\U00010000": 2, "\ue000": 3, "\U0010ffff": 4}),
    ("thirty names", {c: i for i, c in enumerate("zyxwvutsrqponmlkjihgfedcba\U0001f600\uff5e\u00e9Z")}),
    ("astral value", {"e": "\U0001f600"}),
    ("control characters", {"c": "\x00\x01\b\t\n\f\r\x1f\x7f\x80\u2028\u2029"}),
    ("every control character", {"c": "".join(map(chr, [*range(0x20), *range(0x7E, 0xA1)]))}),
    ("U+007F in a name", {"\x7f": "\x7f", "~": "~"}),
    ("quotes slashes", {"q": '"\\/</script>'}),
    ("escapes in a name", {'"': 1, "\\": 2, "\n": 3, "\u00e9": 4}),
    ("safe integer bounds", {"max": 2**53 - 1, "min": -(2**53) + 1, "zero": 0}),
    ("proto keys", {"__proto__": {"x": 1}, "constructor": 2, "toString": 3}),
    ("proto keys deep", {"a": [{"__proto__": {"__proto__": None}}], "hasOwnProperty": "x"}),
    ("numeric-looking keys", {"10": 1, "9": 2, "1": 3, "a": 4}),
    ("names with signs and zeros", {"-1": 1, "01": 2, "1": 3, "1.0": 4, "+1": 5}),
    ("precomposed", {"s": "\u00e9"}),
    ("combining", {"s": "e\u0301"}),
    ("bidi and zero width", {"s": "a\u202eb\u200bc\ufeff"}),
    ("key case and prefix order", {"b": 1, "B": 2, "a": 3, "aa": 4, "A": 5, "": 6}),
    ("white space kept", {" a ": " b ", "a": "\u00a0"}),
    ("noncharacters", {"s": "\ufffe\uffff\U0001ffff\U0010ffff"}),
    ("deep 32", nested(31)),
]

MEMBERS = [
    ("non-ascii approver", {"approver_id": "al\u00efce@example.com"}),
    ("exp changes bytes", {"exp": MINIMAL["exp"] + 1}),
    ("exp as far as it goes", {"exp": 2**53 - 1}),
    ("binding message changes bytes", {"binding_message": "Delete the production database."}),
    ("empty binding message", {"binding_message": ""}),
]

REFUSED_ARGS = [
    ("2^53", {"n": 2**53}, "args.n"),
    ("2^53 + 1", {"n": 2**53 + 1}, "args.n"),
    ("-2^53", {"n": -(2**53)}, "args.n"),
    ("1e300", {"n": 1e300}, "args.n"),
    ("lone high surrogate", {"a": "\ud800"}, "args.a"),
    ("lone low surrogate", {"a": ["ok", "\udc00x"]}, "args.a[1]"),
    ("surrogates the wrong way round", {"a": {"b": "\udc00\ud800"}}, "args.a.b"),
    ("lone surrogate in a name", {"\udfff": 1}, 'args["\\udfff"]'),
    ("lone surrogate deep in a name", {"a": [{"x\ud83d": 1}]}, 'args.a[0]["x\\ud83d"]'),
    ("path with a space", {"we ird": {"n": 2**53}}, 'args["we ird"].n'),
    ("path with a quote", {'"': [2**53]}, 'args["\\""][0]'),
    ("path with an empty name", {"": 2**53}, 'args[""]'),
    ("path with a non-ascii name", {"caf\u00e9": 2**53}, 'args["caf\\u00e9"]'),
    ("path with a leading digit", {"1a": 2**53, "$a_1": 1}, 'args["1a"]'),
    ("path with proto", {"__proto__": {"n": 2**53}}, "args.__proto__.n"),
]

FLOATS = [
    ("float at top", {"amount": 50.99}, "args.amount"),
    ("float in dict", {"payload": {"tax": 0.07}}, "args.payload.tax"),
    ("float in list", {"amounts": [1, 2.5, 3]}, "args.amounts[1]"),
    ("tiny float", {"n": 5e-324}, "args.n"),
]

# RFC 8785 appendix B: the double as hex, and how it is written; those beyond 2^53-1, and -0, are refused here.
RFC_8785_NUMBERS = [
    ("0000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]
RFC_8785_BEYOND = [
    "7fefffffffffffff",
    "ffefffffffffffff",
    "4340000000000000",
    "c340000000000000",
    "4430000000000000",
    "44b52d02c7e14af5",
    "44b52d02c7e14af6",
    "44b52d02c7e14af7",
    "444b1ae4d6e2ef4e",
    "444b1ae4d6e2ef4f",
    "444b1ae4d6e2ef50",
]
OTHER_NUMBERS = [1.5, -1.5, 0.1, 0.30000000000000004, 1e-5, 1.5e-7, 123456.789, 4503599627370495.5, -1e-10]
# RFC 8785 section 3.2.2, 3.2.3, appendix D and appendix E, as the args of a payload.
RFC_8785_STRING = r'"string":"\u20ac$\u000F\u000aA' + r"'\u0042\u0022\u005c\\\"\/" + '"'
RFC_8785_SECTION_322 = (
    '{"numbers":[333333333.33333329, %s4.50, 2e-3, 0.000000000000000000000000001],'
    + RFC_8785_STRING
    + ',"literals":[null, true, false]}'
)
RFC_8785_SECTION_323 = (
    r'{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",'
    r'"\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}'
)
RFC_8785_APPENDIX_D = '{"giantNumber": 1.4e+9999,"payMeThis": 26000.33,"int64Max": 9223372036854775807}'
RFC_8785_APPENDIX_E = '{"time": "2019-01-28T07:45:10Z","big": "055","val": 3.5}'


def double(hexadecimal):
    return struct.unpack(">d", bytes.fromhex(hexadecimal))[0]


def raw(args, base=form2):
    """The JSON text of a payload whose args are the text given."""
    return json.dumps(base(args=0), ensure_ascii=False).replace('"args": 0', '"args": ' + args)


RAW_ACCEPTED = [
    ("white space everywhere", ' \t\r\n{ "a" : [ 1 , 2 ] , "b" : { } }\n'),
    ("escaped names are unescaped before sorting", r'{"\u0062":1,"a":2}'),
    ("escaped solidus", r'{"a":"\/"}'),
    ("uppercase hex escapes", r'{"a":"\u00EF\uD83D\uDE00"}'),
    ("an integer spelled as a fraction", '{"a":1.0,"b":10e-1,"c":1E2,"d":0.0,"e":0e5}'),
    ("__proto__ once", '{"__proto__":{"polluted":true}}'),
    ("same name in different objects", '{"a":{"a":{"a":1}}}'),
]
RAW_REFUSED = [
    ("duplicate name", '{"amount":1,"amount":2}', "args.amount"),
    ("duplicate name with equal values", '{"a":[{"b":1,"b":1}]}', "args.a[0].b"),
    ("duplicate name spelled differently", r'{"a":1,"\u0061":2}', "args.a"),
    ("duplicate __proto__", '{"__proto__":1,"__proto__":2}', "args.__proto__"),
    ("duplicate empty name", '{"":1,"":2}', 'args[""]'),
    ("9007199254740993", '{"n":9007199254740993}', "args.n"),
    ("2^53", '{"n":[9007199254740992]}', "args.n[0]"),
    ("-2^53", '{"n":-9007199254740992}', "args.n"),
    ("2^53 as a fraction", '{"n":9007199254740992.0}', "args.n"),
    ("1e400", '{"n":1e400}', "args.n"),
    ("-1e400", '{"n":-1e400}', "args.n"),
    ("1e-400", '{"n":1e-400}', "args.n"),
    ("-0", '{"n":-0}', "args.n"),
    ("-0.0", '{"n":-0.0}', "args.n"),
    ("-0e1", '{"n":-0e1}', "args.n"),
    ("escaped lone high surrogate", r'{"a":"\ud800"}', "args.a"),
    ("escaped lone low surrogate", r'{"a":"\udc00"}', "args.a"),
    ("escaped surrogates the wrong way round", r'{"a":["\ude00\ud83d"]}', "args.a[0]"),
    ("escaped lone surrogate in a name", r'{"\ud800":1}', 'args["\\ud800"]'),
    ("raw lone surrogate", '{"a":"\ud800"}', "args.a"),
    ("NaN", '{"n":NaN}', "args.n"),
    ("Infinity", '{"n":-Infinity}', "args.n"),
    ("leading zero", '{"n":01}', "args"),
    ("leading plus", '{"n":+1}', "args.n"),
    ("bare point", '{"n":1.}', "args"),
    ("hexadecimal", '{"n":0x10}', "args"),
    ("fullwidth digit", '{"n":\uff11}', "args.n"),
    ("single quotes", "{'a':1}", "args"),
    ("trailing comma in an object", '{"a":1,}', "args"),
    ("trailing comma in a list", '{"a":[1,]}', "args.a[1]"),
    ("comment", '{"a":/**/1}', "args.a"),
    ("control character in a string", '{"a":"\x1f"}', "args.a"),
    ("line feed in a string", '{"a":"\n"}', "args.a"),
    ("unknown escape", r'{"a":"\x41"}', "args.a"),
    ("short unicode escape", r'{"a":"\u12"}', "args.a"),
    ("misspelled literal", '{"a":nul}', "args.a"),
    ("uppercase literal", '{"a":True}', "args.a"),
    ("no-break space between tokens", '{"a":\u00a01}', "args.a"),
]
TEXT_REFUSED = [
    ("empty text", "", ""),
    ("byte order mark", "\ufeff{}", ""),
    ("unfinished text", '{"v":2,"cmd":"de', "cmd"),
    ("text after the value", json.dumps(form2()) + " {}", ""),
    ("nested too deep for any body", "[" * 73 + "]" * 73, "[0]" * 72),
    ("a thousand brackets", "[" * 1000, "[0]" * 72),
]

SHAPE_REFUSED = [
    ("not an object", [], ""),
    ("null", None, ""),
    ("v 1", form2(v=1), "v"),
    ("v as text", form2(v="2"), "v"),
    ("v null", form2(v=None), "v"),
    ("form 1 with aud", form1(aud="https://rs.example.com"), "aud"),
    ("form 2 without aud", without(form2(), "aud"), "aud"),
    ("form 2 without client_id", without(form2(), "client_id"), "client_id"),
    ("form 2 without nonce", without(form2(), "nonce"), "nonce"),
    ("form 2 with an empty nonce", form2(nonce=""), "nonce"),
    ("form 2 with an unknown member", form2(extra=1), "extra"),
    ("form 1 with an unknown member", form1(**{"x y": 1}), '["x y"]'),
    ("form 1 with __proto__", form1(**{"__proto__": {}}), "__proto__"),
    *[("form 1 without " + name, without(MINIMAL, name), name) for name in MINIMAL],
    ("empty cmd", form1(cmd=""), "cmd"),
    ("cmd as number", form1(cmd=1), "cmd"),
    ("args as list", form1(args=[]), "args"),
    ("args as null", form2(args=None), "args"),
    ("args as text", form2(args="{}"), "args"),
    ("exp 0", form1(exp=0), "exp"),
    ("negative exp", form2(exp=-1), "exp"),
    ("exp with a fraction", form2(exp=1779315522.5), "exp"),
    ("exp beyond 2^53-1", form1(exp=2**53), "exp"),
    ("exp as text", form1(exp="1779315522"), "exp"),
    ("approver_id null", form1(approver_id=None), "approver_id"),
    ("binding_message null", form2(binding_message=None), "binding_message"),
    ("lone surrogate in binding_message", form2(binding_message="\ud800"), "binding_message"),
]


def accepted(name, form, **subject):
    result = canonical.answer(subject)
    assert "refused" not in result, (name, result)
    if form == 1 and "payload" in subject:
        dumped = json.dumps(
            subject["payload"], sort_keys=True, separators=(",", ":"), ensure_ascii=True
        )
        assert dumped.encode("ascii").hex() == result["canonical_hex"], name
    return {"name": name, "form": form, **subject, **result}


def refused(name, form, code, path, **subject):
    result = canonical.answer(subject)
    assert result.get("refused") == code, (name, result)
    assert result["path"] == path, (name, result)
    return {"name": name, "form": form, **subject, **result}


def both(cases, make):
    return [make(name, form, base, *rest) for name, *rest in cases for form, base in ((1, form1), (2, form2))]


def over_the_limit(base):
    """A payload of 65537 canonical bytes."""
    return base(args={"s": "x" * (65537 - len(canonical.payload_bytes(base(args={"s": ""}))))})


def escaped_over_the_limit():
    """65538 bytes in form 1, where U+00E9 takes 6; in form 2, where it takes 2, it would be allowed."""
    room = 65538 - len(canonical.payload_bytes(form1(args={"s": ""})))
    return form1(args={"s": "\u00e9" * (room // 6) + "x" * (room % 6)})


FILES = {
    "accepted": both(ARGS, lambda name, form, base, args: accepted(name, form, payload=base(args=args)))
    + both(MEMBERS, lambda name, form, base, changes: accepted(name, form, payload=base(**changes)))
    + [
        accepted(member + " changes bytes", 2, payload=form2(**{member: "other"}))
        for member in ("aud", "client_id", "nonce")
    ]
    + [
        accepted(name.replace("float", "fraction"), 2, payload=form2(args=args)) for name, args, _ in FLOATS
    ],
    "refused": both(
        REFUSED_ARGS,
        lambda name, form, base, args, path: refused(
            name, form, "MalformedPayload", path, payload=base(args=args)
        ),
    )
    + [refused(name, 1, "MalformedPayload", path, payload=form1(args=args)) for name, args, path in FLOATS]
    + [
        refused(name, canonical.form_of(payload), "MalformedPayload", path, payload=payload)
        for name, payload, path in SHAPE_REFUSED
    ],
    "rfc8785": [
        accepted("appendix B " + text, 2, payload=form2(args={"n": double(bits)}))
        for bits, text in RFC_8785_NUMBERS
    ]
    + [
        refused("appendix B %r" % double(bits), 2, "MalformedPayload", "args.n", payload=form2(args={"n": double(bits)}))
        for bits in RFC_8785_BEYOND
    ]
    + [accepted("number %r" % n, 2, payload=form2(args={"n": n})) for n in OTHER_NUMBERS]
    + [
        accepted("section 3.2.2 without 1E30", 2, raw=raw(RFC_8785_SECTION_322 % "")),
        refused("section 3.2.2 as published", 2, "MalformedJson", "args.numbers[1]", raw=raw(RFC_8785_SECTION_322 % "1E30, ")),
        accepted("section 3.2.3", 2, raw=raw(RFC_8785_SECTION_323)),
        refused("appendix D", 2, "MalformedJson", "args.giantNumber", raw=raw(RFC_8785_APPENDIX_D)),
        accepted("appendix E", 2, raw=raw(RFC_8785_APPENDIX_E)),
    ],
    "raw": both(RAW_ACCEPTED, lambda name, form, base, args: accepted(name, form, raw=raw(args, base)))
    + both(
        RAW_REFUSED,
        lambda name, form, base, args, path: refused(name, form, "MalformedJson", path, raw=raw(args, base)),
    )
    + [refused(name, 2, "MalformedJson", path, raw=text) for name, text, path in TEXT_REFUSED]
    + [refused("fraction in form 1", 1, "MalformedPayload", "args.n", raw=raw('{"n":0.5}', form1))],
    "limits": both(
        [("depth 64", nested(63)), ("depth 64 in lists", {"k": nested(62, lambda inner: [inner])})],
        lambda name, form, base, args: accepted(name, form, payload=base(args=args)),
    )
    + both(
        [
            ("depth 65", nested(64), "args" + ".k" * 63),
            ("depth 65 in lists", {"k": nested(63, lambda inner: [inner])}, "args.k" + "[0]" * 62),
            ("empty object at depth 65", nested(63, inner={}), "args" + ".k" * 63),
        ],
        lambda name, form, base, args, path: refused(
            name, form, "MalformedPayload", path, payload=base(args=args)
        ),
    )
    + [
        refused("65537 bytes", 1, "PayloadTooLarge", "", payload=over_the_limit(form1)),
        refused("65537 bytes", 2, "PayloadTooLarge", "", payload=over_the_limit(form2)),
        refused("65538 bytes of escapes", 1, "PayloadTooLarge", "", payload=escaped_over_the_limit()),
    ],
}

for (bits, text) in RFC_8785_NUMBERS:
    assert canonical.number(double(bits), 2, "") == text, text

for file, vectors in FILES.items():
    lines = ",\n".join(json.dumps(vector) for vector in vectors)
    (HERE / (file + ".json")).write_text("[\n" + lines + "\n]\n")
    print("%-10s %d" % (file, len(vectors)))
