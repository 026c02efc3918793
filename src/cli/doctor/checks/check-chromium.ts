import { HOW_TO_GET_CHROMIUM, findChromium } from '../../chromium.js';
import type { Finding } from '../finding.js';
import { note, ok } from '../finding.js';

/** Only `bridge walkthrough --browser` and the browser tests need one. */
export async function checkChromium(): Promise<readonly Finding[]> {
  const path = await findChromium();
  return path === undefined
    ? [note('no Chromium was found; bridge walkthrough --browser needs one', HOW_TO_GET_CHROMIUM)]
    : [ok(`Chromium is ${path}`)];
}
