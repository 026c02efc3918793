/** A data directory in which every domain has a small file system of its own, to fill or to make read-only. Needs root. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOMAINS, type Domain, domainDir } from '../../src/cli/data-directory.js';

const SIZE = 'size=24m,mode=0700';

export class SmallDisks {
  readonly data = mkdtempSync(join(tmpdir(), 'consent-bridge-disks-'));

  constructor() {
    for (const domain of DOMAINS) {
      mkdirSync(this.dir(domain), { mode: 0o700 });
      execFileSync('mount', ['-t', 'tmpfs', '-o', SIZE, 'tmpfs', this.dir(domain)]);
    }
  }

  /** False where this user may not mount, as in most containers. */
  static get possible(): boolean {
    const dir = mkdtempSync(join(tmpdir(), 'consent-bridge-mount-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', SIZE, 'tmpfs', dir], { stdio: 'ignore' });
      execFileSync('umount', [dir]);
      return true;
    } catch {
      return false;
    } finally {
      rmSync(dir, { recursive: true });
    }
  }

  dir(domain: Domain): string {
    return domainDir(this.data, domain);
  }

  /** The file that takes the room. */
  filler(domain: Domain): string {
    return join(this.dir(domain), 'filler');
  }

  /** Leaves no octet free. */
  fill(domain: Domain): void {
    const script = 'dd if=/dev/zero of="$1" bs=4096 || true';
    execFileSync('sh', ['-c', script, 'sh', this.filler(domain)], { stdio: 'ignore' });
  }

  free(domain: Domain): void {
    rmSync(this.filler(domain), { force: true });
  }

  writable(domain: Domain, writable: boolean): void {
    execFileSync('mount', ['-o', `remount,${writable ? 'rw' : 'ro'}`, this.dir(domain)]);
  }

  /** Unmounts whatever nobody uses any more. */
  remove(): void {
    for (const domain of DOMAINS) execFileSync('umount', [this.dir(domain)]);
    rmSync(this.data, { recursive: true, force: true });
  }
}
