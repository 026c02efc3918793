/** The sentence the approver reads: the operator's words stay the operator's, whatever the arguments are. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.js';
import { canonicalBytes } from '../../../src/contract/canonical.js';
import { bindingMessage } from '../../../src/dispatcher/binding-message.js';
import { jsonValue, objectOf, text } from '../contract/arbitraries.js';
import { cases, TIME } from './runs.js';

const NAMES = ['a', 'b', 'task_id', 'items', '0', '__proto__', 'constructor', 'toString', 'a b'];
const args = fc.oneof(
  objectOf(jsonValue(2)),
  fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(text, jsonValue(2)), { maxKeys: 4 }),
) as fc.Arbitrary<JsonObject>;
const words = fc.string({
  unit: fc.constantFrom(...Array.from("Delete task? $&`'$1$$")),
  maxLength: 8,
});
const place = fc
  .array(fc.constantFrom(...NAMES, 'length', '-1', '1e0', ' ', '$&'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((path) => path.join('.'));

test(
  'any template with any arguments gives one well-formed sentence, the same each time',
  TIME,
  () => {
    const template = fc
      .array(
        fc.oneof(
          words,
          place.map((path) => `{${path}}`),
          fc.constantFrom('{', '}', '{{', '}}', '{}'),
        ),
        {
          maxLength: 5,
        },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(template, args, (pattern, given) => {
        const message = bindingMessage(pattern, 'tool', given);
        if (message !== bindingMessage(pattern, 'tool', given)) expect.fail(pattern);
        // It can be signed: no half of a pair is cut off.
        canonicalBytes(
          { cmd: 'a', args: {}, rar_type: 'b', exp: 1, approver_id: 'c', binding_message: message },
          'bridge',
        );
      }),
      cases(),
    );
  },
);

test(
  'the words around an argument stay, and the argument is what stands between them',
  TIME,
  () => {
    fc.assert(
      fc.property(
        words,
        words,
        fc.oneof(text, fc.string({ maxLength: 300 })),
        (before, after, value) => {
          const [b, a] = [before, after].map((w) => w.replaceAll('{', '').replaceAll('}', '')) as [
            string,
            string,
          ];
          const message = bindingMessage(`${b}{x}${a}`, 'tool', { x: value });
          const points = Array.from(value);
          const rest = points.length - 200;
          const shown =
            rest > 0 ? `${points.slice(0, 200).join('')}… (+${rest} characters, see below)` : value;
          if (message !== b + shown + a) expect.fail(JSON.stringify({ b, a, value, message }));
        },
      ),
      cases(),
    );
  },
);

test('an argument cannot bring another one into the sentence', TIME, () => {
  fc.assert(
    fc.property(place, text, (path, secret) => {
      const message = bindingMessage('{x}', 'tool', { x: `{${path}} {secret}`, secret });
      if (message !== `{${path}} {secret}`) expect.fail(message);
    }),
    cases(),
  );
});
