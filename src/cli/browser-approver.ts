/** The approver in a real Chromium with a virtual authenticator (WebAuthn L3 section 11): the page's own script signs. */
import type { Browser, Page, Response } from 'playwright';
import type { ApproverAtPage } from './approver-at-page.js';
import type { Attempt } from './attempt.js';
import { HOW_TO_GET_CHROMIUM, findChromium } from './chromium.js';
import { attemptOf } from './http.js';

export class BrowserApprover implements ApproverAtPage {
  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
  ) {}

  /** In a window where there is a display, else headless. */
  static async open(): Promise<BrowserApprover> {
    const executablePath = await findChromium();
    if (executablePath === undefined) throw new Error(`no Chromium: ${HOW_TO_GET_CHROMIUM}`);
    const { chromium } = await import('playwright').catch(() => {
      throw new Error('--browser needs the playwright package: npm install playwright');
    });
    const headless = !process.env['DISPLAY'] && process.platform === 'linux';
    // Chromium's sandbox does not work for root, as in most containers.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const browser = await chromium.launch({ executablePath, headless, args });
    const page = await browser.newPage();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new BrowserApprover(browser, page);
  }

  async enrol(link: string): Promise<void> {
    await this.page.goto(link);
    const finished = this.answerTo('/enrol/finish');
    await this.page.locator('#enrol').click();
    await expectDone(await finished, 'enrolling');
  }

  async approve(link: string): Promise<Attempt> {
    await this.open(link);
    const answered = this.answerTo('/approve');
    await this.page.locator('#approve').click();
    return attemptOfResponse(await answered, 'approved');
  }

  async decline(link: string, reason: string): Promise<Attempt> {
    await this.open(link);
    await this.page.locator('#decline').click();
    await this.page.locator('#decline-reason').fill(reason);
    const answered = this.answerTo('/decline');
    await this.page.locator('#confirm-decline').click();
    return attemptOfResponse(await answered, 'declined');
  }

  async close(): Promise<void> {
    await this.browser.close();
  }

  /** Opens a consent; the page sends a stranger to the sign-in page first, and back after it. */
  private async open(link: string): Promise<void> {
    await this.page.goto(link);
    if (new URL(this.page.url()).pathname !== '/sign-in') return;
    await this.page.locator('#sign-in').click();
    await this.page.waitForURL(link);
  }

  private answerTo(path: string): Promise<Response> {
    return this.page.waitForResponse((response) => response.url().endsWith(path));
  }
}

async function attemptOfResponse(response: Response, done: string): Promise<Attempt> {
  const body: unknown = await response.json();
  return attemptOf({ status: response.status(), body, cookies: [] }, done);
}

async function expectDone(response: Response, what: string): Promise<void> {
  const attempt = await attemptOfResponse(response, what);
  if (attempt.kind === 'refused') throw new Error(`${what}: ${attempt.code} (${attempt.layer})`);
}
