import { describe, expect, it } from 'vitest';
import { checkPageUrl } from '../../../src/a2a/translation/page-url.js';

const allowed = ['https://consent.example', 'http://localhost:8421'];
const refused = (url: string): string => {
  try {
    checkPageUrl(url, allowed);
    return 'shown';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('an address is shown to a person only when the operator knows its origin', () => {
  it.each(['https://consent.example/consents/x', 'http://localhost:8421/consents/y'])(
    '%s',
    (url) => {
      expect(refused(url)).toBe('shown');
    },
  );

  it.each([
    'javascript:alert(1)//https://consent.example',
    'file:///etc/passwd',
    'data:text/html,x',
    'https://consent.example@evil.example/consents/x',
    'https://user:pw@consent.example/consents/x',
    'https://consent.example.evil.example/',
    'https://consent.example:444/consents/x',
    'http://consent.example/consents/x',
    'https:/\\consent.example/x',
    ' https://consent.example/x',
    'https://consent.example/x\n',
    'https://consent.exаmple/x',
    'HTTPS://consent.example/x',
    '//consent.example/x',
    '',
  ])('never %j', (url) => {
    expect(refused(url)).toBe('HopMismatch');
  });
});
