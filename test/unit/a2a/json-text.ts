import fc from 'fast-check';

/** JSON as somebody else may write it: any spacing, number forms, escapes, member order, duplicate and odd names. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => {
  const space = fc.constantFrom('', ' ', '\n', '\t ');
  const string = fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.constantFrom('"\\u00e9"', '"\\/"', '"\u202e"', '"e\u0301"', '"\\ud83d\\ude00"'),
  );
  const name = fc.oneof(
    string,
    fc.constantFrom('"10"', '"2"', '"__proto__"', '"constructor"', '""'),
  );
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.constantFrom('-0', '1.0', '1e2', '9007199254740993', '1E+400', '0.10'),
  );
  const pair = fc.tuple(name, space, tie('value')).map(([n, s, v]) => `${n}:${s}${v}`);
  const list = fc.tuple(space, fc.array(tie('value'), { maxLength: 4 }));
  return {
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('null', 'true', 'false'),
      number,
      string,
      list.map(([s, items]) => `[${s}${items.join(`${s},`)}]`),
      fc
        .tuple(space, fc.array(pair, { maxLength: 4 }))
        .map(([s, pairs]) => `{${s}${pairs.join(`,${s}`)}}`),
    ),
  };
}).value;
