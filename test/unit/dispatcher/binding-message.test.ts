import { describe, expect, it } from 'vitest';
import { bindingMessage } from '../../../src/dispatcher/binding-message.js';

describe('the binding message', () => {
  it.each([
    ['Delete task {task_id}', { task_id: 't-42' }, 'Delete task t-42'],
    ['Pay {amount} to {to.name}', { amount: 5, to: { name: 'Bob' } }, 'Pay 5 to Bob'],
    ['First {items.1}', { items: ['a', 'b'] }, 'First b'],
    ['Literal {{braces}}', {}, 'Literal {braces}'],
    ['Absent {nothing}', {}, 'Absent (none)'],
    ['Proto {__proto__.x} {constructor}', {}, 'Proto (none) (none)'],
    ['Object {o}', { o: { a: [true, null] } }, 'Object {"a":[true,null]}'],
    ['No second pass {a}', { a: '{b}', b: 'secret' }, 'No second pass {b}'],
    [undefined, {}, 'Run tool'],
  ])('%s', (template, args, expected) => {
    expect(bindingMessage(template, 'tool', args)).toBe(expected);
  });

  it('shortens a long argument visibly and says how much is missing', () => {
    const message = bindingMessage('{a}', 'tool', { a: '😀'.repeat(1000) });
    expect(message).toBe(`${'😀'.repeat(200)}… (+800 characters, see below)`);
  });
});
