/** A person at a real Chromium with a real (virtual) authenticator of their own. */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright';
import { chromium } from 'playwright';
import { findChromium } from '../support/ensure-chromium.mjs';
import type { TestStack } from '../support/test-stack.js';

/** `--no-sandbox` because CI runs as root; the rest keeps Chromium from calling home. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launchChromium(): Promise<Browser> {
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Error('no Chromium; `npm test` installs one');
  return chromium.launch({ executablePath, args: ARGS });
}

export type Look = Parameters<Browser['newContext']>[0];

export class PersonInBrowser {
  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly cdp: CDPSession,
    private readonly authenticatorId: string,
  ) {}

  static async open(browser: Browser, look: Look = {}): Promise<PersonInBrowser> {
    const context = await browser.newContext(look);
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const options = {
      protocol: 'ctap2' as const,
      transport: 'internal' as const,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    };
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
    return new PersonInBrowser(context, page, cdp, authenticatorId);
  }

  /** Opens the invitation and enrols a passkey. */
  async enrol(stack: TestStack, subject: string): Promise<void> {
    await this.page.goto(await stack.invite(subject));
    await this.page.fill('#label', 'test passkey');
    await this.page.click('#enrol');
    await this.page.waitForSelector('#key-id');
  }

  /** Opens a page that needs a signed-in approver, signing in on the way if need be. */
  async visit(url: string, page: Page = this.page): Promise<void> {
    await page.goto(url);
    if (!page.url().includes('/sign-in')) return;
    await page.click('#sign-in');
    await page.waitForURL(url);
  }

  /** Whether the person passes user verification from now on. */
  async verifies(isUserVerified: boolean): Promise<void> {
    await this.cdp.send('WebAuthn.setUserVerified', {
      authenticatorId: this.authenticatorId,
      isUserVerified,
    });
  }

  /** Text of the live region once it matches. */
  async told(pattern: RegExp, page: Page = this.page): Promise<string> {
    await page.waitForFunction(
      ([source, flags]) =>
        new RegExp(source!, flags).test(document.querySelector('#status')?.textContent ?? ''),
      [pattern.source, pattern.flags],
    );
    return (await page.textContent('#status')) ?? '';
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
