import { createInterface } from 'node:readline/promises';

/** A person at the terminal, to be asked; use it for one conversation and close it. */
export class Conversation {
  private readonly terminal = createInterface({ input: process.stdin, output: process.stderr });

  /** Undefined where nobody can answer. */
  static open(): Conversation | undefined {
    return process.stdin.isTTY ? new Conversation() : undefined;
  }

  /** The trimmed answer; empty when the person hung up (Ctrl-D). */
  async ask(question: string): Promise<string> {
    try {
      return (await this.terminal.question(question)).trim();
    } catch {
      return '';
    }
  }

  close(): void {
    this.terminal.close();
  }
}

/** One question. Undefined where nobody can answer. */
export async function ask(question: string): Promise<string | undefined> {
  const conversation = Conversation.open();
  const answer = await conversation?.ask(question);
  conversation?.close();
  return answer;
}
