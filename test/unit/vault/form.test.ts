import { expect, it } from 'vitest';
import { parseForm } from '../../../vault/http/form.js';
import { expectRefusal } from './support/refusals.js';

it('a form is decoded where it is encoded, and left as it is elsewhere', () => {
  expect(parseForm('plain=a-b_c.d~e&plus=a+b&percent=%C3%AF&both=1%2B1+is+2&empty=&bare')).toEqual({
    plain: 'a-b_c.d~e',
    plus: 'a b',
    percent: 'ï',
    both: '1+1 is 2',
    empty: '',
    bare: '',
  });
});

it('names are compared as they decode', async () => {
  const twice = () => parseForm('a+b=1&a%20b=2');
  expect(await expectRefusal(twice, 'MalformedRequest')).toMatchObject({ path: 'a b' });
});

it('broken percent-encoding is refused', async () => {
  await expectRefusal(() => parseForm('a=%zz'), 'MalformedRequest');
  await expectRefusal(() => parseForm('a=%ff'), 'MalformedRequest');
});
