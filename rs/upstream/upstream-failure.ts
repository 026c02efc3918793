/** What can come of a request to an upstream other than its result. */
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { JsonValue } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';
import type { RpcError } from '../../src/contract/wire.js';
import { isCleanJson } from './clean-json.js';
import { LOST, SealedData } from './sealed-error.js';
import { isWebAddress } from './web-address.js';

/**
 * `answered`: it answered with a JSON-RPC error, or with something unusable; `refused`: it did not take the request;
 * `unreached`: the request was never written; `lost`: the connection or the time ended with the answer outstanding.
 */
export type FailureKind = 'answered' | 'refused' | 'unreached' | 'lost';

export class UpstreamFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly rpc?: RpcError,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const URL_ELICITATION_REQUIRED = -32_042;

/** Reads an error of the SDK. */
export function failureOf(error: unknown): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  if (error instanceof ProtocolError) {
    if (error.data === LOST) return new UpstreamFailure('lost', 'the connection ended');
    const { code, message, data } = error;
    return answered(code, message, data instanceof SealedData ? data.data : data);
  }
  if (error instanceof SdkHttpError && error.data.status < 500) {
    return new UpstreamFailure('refused', `it answered HTTP ${error.data.status}`);
  }
  if (error instanceof SdkError) {
    const unusable: readonly string[] = [
      SdkErrorCode.InvalidResult,
      SdkErrorCode.UnsupportedResultType,
      SdkErrorCode.MethodNotSupportedByProtocolVersion,
    ];
    if (unusable.includes(error.code))
      return new UpstreamFailure('answered', 'its answer is unusable');
    if (error.code === SdkErrorCode.RequestTimeout)
      return new UpstreamFailure('lost', 'it took too long');
    if (error.code === SdkErrorCode.NotConnected)
      return new UpstreamFailure('unreached', 'the connection is closed');
  }
  if (error instanceof Error && error.message === 'Not connected') {
    return new UpstreamFailure('unreached', 'the connection is closed');
  }
  return new UpstreamFailure('lost', 'the connection ended');
}

/** What an upstream says in an error is passed on as it is, unless it cannot be, or leads somewhere it must not. */
function answered(code: number, text: string, data: unknown): UpstreamFailure {
  if (code === URL_ELICITATION_REQUIRED && !leadsToTheWeb(data)) {
    const message = 'The upstream asked to open an address that is neither http nor https.';
    return new UpstreamFailure('answered', message, { code, message });
  }
  const message = isCleanJson(text) ? text : 'The upstream reported an error that cannot be shown.';
  const shown = data !== undefined && isCleanJson(data) ? { data: asJson(data) } : {};
  return new UpstreamFailure('answered', message, { code, message, ...shown });
}

function leadsToTheWeb(data: unknown): boolean {
  const elicitations: unknown = isJsonObject(data) ? data['elicitations'] : undefined;
  if (!Array.isArray(elicitations)) return true;
  return elicitations.every(
    (one) => !isJsonObject(one) || !Object.hasOwn(one, 'url') || isWebAddress(one['url']),
  );
}

/** Checked by `isCleanJson` before: a JSON value it is. */
function asJson(value: unknown): JsonValue {
  return value as JsonValue;
}
