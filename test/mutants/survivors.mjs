/**
 * Why a mutant may survive: it does the same, or nothing that could be asserted. Found by its file and a piece of its
 * line of code, since numbers of lines change; the last column narrows it to mutations that begin so.
 */
const FAST_PATH = 'equivalent: only a faster way to the same text';
const ONE_CHARACTER = 'equivalent: the text is always one character';
const SAVES = 'equivalent: it only saves doing it again';
const BRAND = 'equivalent: a mark for the type checker alone';
const CAUGHT = 'equivalent: another refusal takes its place';
const AFTER_LATIN = 'equivalent: a mark is marked after a Latin letter as after none';
const LEFT_OPEN = 'a file left open, which no test can see';
const HAS_ISSUE = 'unreachable: what does not fit has an issue';

const CONTRACT = {
  'canonical-writer.ts': [
    ['const PLAIN =', FAST_PATH],
    ['PLAIN.test(text)', FAST_PATH, 'false'],
  ],
  'display.ts': [
    ['const PLAIN_ASCII =', FAST_PATH],
    ['PLAIN_ASCII.test(text)', FAST_PATH, 'false'],
    ["groups?.['plain']", 'equivalent: the pattern has groups'],
    ["segment.glyph ?? ''", 'unreachable: a lookalike has its glyph'],
    ["let base = ''", AFTER_LATIN],
    ["base = reason === undefined ? character : ''", AFTER_LATIN],
  ],
  'form2.ts': [['a < b ? -1', 'equivalent: names of one object are never equal']],
  'json.ts': [
    [
      'Object.isFrozen(value)',
      'equivalent for what was just parsed: `isFrozen` holds for all but its objects',
    ],
  ],
  'lookalike.ts': [
    ["character <= '\\u00ff'", 'equivalent: U+00FF is no compatibility form'],
    ['text.match(letters) ??', 'equivalent: the text holds no letter the rule is for'],
    ['/^[', ONE_CHARACTER, '/['],
  ],
  'mark-reason.ts': [['/^', ONE_CHARACTER, '/']],
  'path.ts': [
    ["typeof step === 'number'", 'equivalent: a number is no identifier, JSON writes it alike'],
  ],
  'patterns.ts': [["[first = ''", 'unreachable: a split text has a first part']],
  'payload-members.ts': [
    [
      'names.length === members.length',
      'equivalent: with none missing and as many there is no unknown one',
    ],
  ],
  'sort-names.ts': [
    ['names.length > FEW', 'equivalent: both sorts order alike, one is faster'],
    ["names[at - 1] ?? ''", 'unreachable: there is a name before'],
    ['at > 0', 'equivalent: no name is before the empty one'],
    ['compare(before, name) <= 0', 'equivalent: of equal texts either may be first'],
  ],
  'strict-json.ts': [
    ['let escaped = false', FAST_PATH],
    ['end < this.text.length', 'equivalent: behind the end there is no code unit to compare'],
    ["name !== '__proto__'", FAST_PATH, 'false'],
  ],
};

const VAULT = {
  'app.ts': [['logger: false', 'equivalent here: it only writes lines nobody asked for']],
  'bounded-map.ts': [
    ['oldest !== undefined', 'unreachable: a map over its capacity has an oldest'],
  ],
  'checks/check-counter.ts': [['presented === 0', 'equivalent: any counter is more than none']],
  'clients.ts': [['known !== undefined', SAVES]],
  'config.ts': [['issue === undefined', HAS_ISSUE]],
  'consent.ts': [['readonly passed =', BRAND]],
  'cose-key.ts': [['octets ?? []', 'equivalent: neither is a coordinate']],
  'expiring-map.ts': [['#sweptAtMs = -Infinity', 'equivalent: as far away either way']],
  'http/token-errors.ts': [['path === undefined', 'equivalent: JSON leaves out what is undefined']],
  'memory-signature-store.ts': [
    ['this.#observed.set(', 'equivalent: only whether there is a value counts'],
  ],
  'mint.ts': [['readonly passed =', BRAND]],
  'http/authenticated.ts': [["authorization = ''", 'equivalent: neither text has the scheme']],
  'http/form.ts': [['ESCAPED.test(text)', FAST_PATH]],
  'http/problems.ts': [['/^SQLITE_', 'equivalent: every code of SQLite begins so']],
  'http/token-request.ts': [['detail === undefined', 'equivalent: nothing is not what was signed']],
  'in-process.ts': [
    ["presentedBy: 'in-process'", 'equivalent: the store in memory keeps no record'],
  ],
  'jws.ts': [
    ["const [, head = ''", 'unreachable: the pattern has three groups'],
    ["alg === 'ES256' ?", 'equivalent: node:crypto takes SHA-256 for P-256 by itself'],
    ['error === null', 'unreachable: key and algorithm come from one row'],
    ["utf8.decode(octets), 'vault'", CAUGHT],
    ['} catch {', CAUGHT],
  ],
  'key-sign-in.ts': [['this.#seen.set(', 'equivalent: only whether there is a value counts']],
  'public-key.ts': [
    ['error === null', 'unreachable: node:crypto says false of what is no signature'],
  ],
  'shape.ts': [
    ['issue === undefined', HAS_ISSUE],
    ["'wrong shape'", 'the wording of the record'],
    ["typeof step === 'symbol'", 'unreachable: no path in JSON holds a symbol'],
  ],
  'sign-in.ts': [['store.userHandles.find', 'unreachable: who enrolled a passkey has a handle']],
  'store/approver-keys.ts': [['cached !== undefined', SAVES]],
  'store/ceremonies.ts': [['?.open ?? 0', 'unreachable: a count is a row']],
  'store/group-commit.ts': [
    ['this.#queue.length === 0', 'equivalent: an empty queue commits nothing'],
  ],
  'store/mint-keys.ts': [
    ['row?.private_jwk == null', 'unreachable: a vault is opened with a key'],
    ['this.#signing?.keyId !== row.key_id', SAVES],
  ],
  'store/signatures.ts': [
    ['counter !== stored', 'equivalent: it would be set to what it is'],
    ["'base64url')]", 'equivalent: another name for the same bytes, always the same one'],
  ],
  'webauthn-assertion.ts': [
    ["scheme !== 'webauthn'", 'unreachable: the table of schemes chose by it'],
    ["alg === 'HS256'", 'unreachable: no shared secret is enrolled as a passkey'],
  ],
  'webauthn-client-data.ts': [["parseStrictJson(text, 'vault')", CAUGHT]],
};

const RS = {
  'actions/task-actions.ts': [
    ['isChanged(): boolean', 'equivalent: nothing is as good as false'],
    ['ready(): Promise', 'equivalent: nothing is as good as done'],
  ],
  'approver-directory.ts': [
    ['?? []', 'equivalent: a text is no key'],
    ['key === undefined ||', 'equivalent: nothing is no key that could be pinned either'],
    ['cached !== undefined', SAVES],
    ["return 'the key id", 'a sentence'],
  ],
  'checks/authenticator-data.ts': [
    ['bytes.length < FIXED_OCTETS', 'equivalent: reading behind the end throws too'],
    ['short > 26', 'equivalent: node:buffer reads no such width'],
    ['start + argument > bytes.length', 'equivalent: the end is compared with that of the octets'],
    ['default:', 'equivalent: it ends where it starts'],
  ],
  'end-connections.ts': [
    ['silent.delete(socket)', 'equivalent: a closed socket can be destroyed again'],
    ["response.once('finish'", 'the header ends the connection as well'],
    ['if (closing) socket.end()', 'the header ends the connection as well'],
  ],
  'open-resource-server.ts': [['origin.close()', LEFT_OPEN]],
  'vault-http.ts': [["parseStrictJson(text, 'rs')", CAUGHT]],
  'verify.ts': [
    ["'self'", 'equivalent: nobody looks at it'],
    ['isChanged: () => false', 'equivalent: nothing is as good as false'],
    ['ready: () => Promise', 'equivalent: nothing is as good as done'],
    ['run: () => Promise.reject', 'unreachable: a verifier runs nothing'],
  ],
  'actions/task-store.ts': [
    ['this.#db.close()', LEFT_OPEN],
    ['close(): void', LEFT_OPEN],
    ['?.count ?? 0', 'unreachable: a count is a row'],
    ['/^t-[1-9]', 'equivalent: what is behind other characters is no number'],
    ['number !== undefined &&', 'equivalent: SQLite finds no row of nothing'],
    ['number === undefined ?', 'equivalent: SQLite finds no row of nothing'],
    ['row === undefined', 'unreachable: RETURNING gives a row'],
  ],
  'actions/tasks.ts': [['!isJsonObject(document)', 'unreachable: a JSON Schema is an object']],
  'app.ts': [
    ['logger: false', 'equivalent here: it only writes lines nobody asked for'],
    ["error instanceof Error && 'code'", 'equivalent: no code is in the table but those of errors'],
    ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'node:http refuses such a request before'],
    ['service === undefined', 'unreachable: the hook authenticated before'],
    ["new Refusal('Unauthenticated'", 'unreachable: the hook authenticated before'],
    ['offers, lanes, commands', 'the gateway’s, left out'],
  ],
  'checks/check-approver.ts': [
    ['key === undefined', 'equivalent: no key has no scheme either'],
    ["signature.scheme !== 'webauthn'", 'equivalent: neither raw key nor raw signature has an id'],
  ],
  'checks/check-args-bound.ts': [
    ['!jsonEqual(', 'on purpose: two comparisons, of which either is enough'],
    ["'rs'))", 'unreachable: arguments that cannot be written are refused before'],
  ],
  'checks/check-credential-shape.ts': [
    ['instanceof JwsError', 'unreachable: nothing else is thrown'],
  ],
  'checks/check-credential-signature.ts': [["'raw')", 'equivalent: whatever is not DER is raw']],
  'checks/check-human-signature.ts': [
    ["'raw')", 'equivalent: whatever is not DER is raw'],
    ["case 'hmac-sha256'", 'unreachable: no key of this scheme is pinned'],
    ['resolve(false)', 'unreachable: no key of this scheme is pinned'],
  ],
  'checks/check-signed-bytes.ts': [
    ["ownResource), 'rs')", 'unreachable: what cannot be written is refused before'],
  ],
  'checks/check-webauthn-assertion.ts': [
    ["parseStrictJson(text, 'rs')", CAUGHT],
    ['} catch {', 'equivalent: nothing is returned either way'],
  ],
  'client-assertion.ts': [
    ['!jwk.success', CAUGHT],
    ["{ text: '', iat: -Infinity }", 'equivalent: the first is always made'],
  ],
  'client-authentication.ts': [
    ["authorization ?? ''", 'equivalent: neither text has the scheme'],
    ["digest('base64url')", 'equivalent: another name for the same assertion'],
    ['remembered !== undefined', SAVES],
    ["'raw')", 'equivalent: whatever is not DER is raw'],
  ],
  'config.ts': [
    ['context.addIssue({ code', 'equivalent: `custom` is what zod takes by itself'],
    ['URL.canParse(u) &&', 'unreachable: it was read as a URL before'],
    ["error.path ?? ''", 'unreachable: a refusal of JSON has its path'],
  ],
  'issuer-keys.ts': [
    ['= -Infinity', 'equivalent: as old as can be, or from the future'],
    ['const jwkSet =', CAUGHT],
    ['this.#failedAt !== undefined', 'equivalent: no time is no age'],
    ['jwk.kid === undefined', 'equivalent: nobody asks for it'],
    ['} catch {', 'equivalent: it goes on either way'],
  ],
  'jws.ts': [
    ['=== undefined', 'unreachable: there are three parts'],
    ["'latin1'", 'equivalent: base64url is ASCII'],
    ["'rs')", CAUGHT],
  ],
  'operator.ts': [
    ["readFileSync(publicJwk, 'utf8')", 'equivalent: JSON.parse reads octets as UTF-8 too'],
    ['...(credentialId === undefined', 'equivalent: the schema takes undefined for absent'],
    ['!key.success', CAUGHT],
    ['} finally {', LEFT_OPEN],
    ["'trusted by operator'", 'a sentence'],
  ],
  'read-body.ts': [
    ['issue?.', HAS_ISSUE],
    ["typeof step === 'number'", 'unreachable: no path in JSON holds a symbol'],
  ],
  'signature-algorithms.ts': [
    ["key.algorithm === 'ES256' &&", 'equivalent: others have one encoding'],
    ['!der && octets', 'equivalent: node:crypto says false of another length'],
    ['error === null', 'unreachable: node:crypto says false of what is no signature'],
    ["'ieee-p1363'", 'equivalent: whatever is not DER is raw'],
  ],
  'states.ts': [["new Passed('known'", BRAND]],
  'store/approver-store.ts': [
    ['a.key_id === b.key_id', 'equivalent: the row was found by this id'],
  ],
  'store/executions.ts': [
    ["Buffer.from(hash, 'base64url')", 'equivalent: another name for the same bytes'],
    ['.get() ?? 0', 'unreachable: the row is there from the start'],
  ],
  'store/group-commit.ts': [
    ['this.#queue.length === 1', 'equivalent: an empty queue commits nothing'],
  ],
  'store/open-store.ts': [['timeout: 5000', 'equivalent: five seconds is the default']],
};

const REASONS = new Map([
  ...Object.entries(CONTRACT).map(([file, reasons]) => [`src/contract/${file}`, reasons]),
  ...Object.entries(VAULT).map(([file, reasons]) => [`vault/${file}`, reasons]),
  ...Object.entries(RS).map(([file, reasons]) => [`rs/${file}`, reasons]),
]);

export function reasonFor({ file, source, to }) {
  const found = REASONS.get(file)?.find(
    ([piece, , begins = '']) => source.includes(piece) && to.startsWith(begins),
  );
  return found?.[1];
}
