import type { CanonicalForm } from './canonical-form.js';

/**
 * Form 2: RFC 8785 (JCS). Its strings and numbers are by definition those of ECMAScript's JSON.stringify (sections
 * 3.2.2.2 and 3.2.2.3), its member order that of UTF-16 code units (section 3.2.3), which is how ECMAScript compares.
 */
export const form2: CanonicalForm = {
  string: JSON.stringify,
  allows: () => true,
  compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
};
