import { Option } from 'commander';

/** `--data DIR`, the same everywhere. */
export function dataOption(): Option {
  return new Option('--data <dir>', 'data directory of the four domains').default('./data');
}
