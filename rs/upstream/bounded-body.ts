/** HTTP bodies of upstreams, cut off where one message gets too large: nothing beyond the limit is buffered. */
import { TransformStream } from 'node:stream/web';
import type { ReadableStream } from 'node:stream/web';

const LF = 0x0a;
const CR = 0x0d;

/**
 * The same bytes, as long as no message has more than `maxBytes`. In an event stream a blank line ends a message.
 * @param exceeded called once, when one has; the stream then errors
 */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  limits: { readonly maxBytes: number; readonly isEventStream: boolean },
  exceeded: (reason: string) => void,
): ReadableStream<Uint8Array> {
  const counter = limits.isEventStream ? new EventCounter() : new ByteCounter();
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        if (counter.largest(chunk) <= limits.maxBytes) {
          controller.enqueue(chunk);
          return;
        }
        const reason = `a message of more than ${limits.maxBytes} bytes`;
        controller.error(new Error(reason));
        exceeded(reason);
      },
    }),
  );
}

class ByteCounter {
  #bytes = 0;

  largest(chunk: Uint8Array): number {
    return (this.#bytes += chunk.length);
  }
}

class EventCounter {
  #event = 0;
  #line = 0;
  #afterCr = false;

  /** Bytes of the largest event that is open at some point of the chunk. */
  largest(chunk: Uint8Array): number {
    let largest = 0;
    for (const byte of chunk) {
      this.#event++;
      const ends = byte === LF || byte === CR;
      const second = byte === LF && this.#afterCr;
      if (!ends) this.#line++;
      else if (!second) {
        if (this.#line === 0) this.#event = 0;
        this.#line = 0;
      }
      this.#afterCr = byte === CR;
      if (this.#event > largest) largest = this.#event;
    }
    return largest;
  }
}
