import { existsSync } from 'node:fs';

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const HOW_TO_GET_CHROMIUM =
  'set CHROMIUM_PATH, or `apt-get install chromium`, or `npx playwright install chromium`';

/** CHROMIUM_PATH, then the system's own, then Playwright's; undefined when there is none. */
export async function findChromium(): Promise<string | undefined> {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  const installed = INSTALLED.find((path) => existsSync(path));
  if (installed) return installed;
  try {
    const { chromium } = await import('playwright');
    const own = chromium.executablePath();
    return existsSync(own) ? own : undefined;
  } catch {
    return undefined;
  }
}
