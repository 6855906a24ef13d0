/** Streams `multipart/form-data` part by part (RFC 7578). */

/** One part. Its bytes must be read completely, or not at all, before the next part is requested. */
export interface FormPart {
  readonly name: string
  /** As sent: untrusted, may be a path. Undefined if absent. */
  readonly fileName: string | undefined
  readonly mimeType: string
  readonly bytes: AsyncGenerator<Buffer>
}

/** The body is not a valid form. */
export class MultipartFault extends Error {}

const HEAD_BYTES_MAX = 16 * 1024
/** White space that may follow a boundary. */
const PADDING_MAX = 200
const BREAK = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')

/** The boundary of a form's `Content-Type`; undefined if it is not a form or the boundary is invalid. */
export function boundaryOf(contentType: string): string | undefined {
  const { value, parameters } = headerOf(contentType)
  const boundary = parameters.get('boundary')
  // RFC 2046, 5.1.1: at most 70 characters, no space at the end.
  const isOne = boundary !== undefined && /^[\x20-\x7e]{0,69}[\x21-\x7e]$/.test(boundary)
  return value === 'multipart/form-data' && isOne ? boundary : undefined
}

/** The parts of a form in order. Throws `MultipartFault` if the form is invalid or incomplete. */
export async function* readParts(chunks: AsyncIterator<Buffer>, boundary: string): AsyncGenerator<FormPart> {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first boundary may be at the start of the body.
  const source = new Source(chunks, BREAK)
  for await (const _ of source.until(delimiter));
  while (!(await source.isLast())) {
    const head = await source.head()
    const { value, parameters } = headerOf(head.get('content-disposition') ?? '')
    if (value !== 'form-data') throw new MultipartFault('a part has no Content-Disposition form-data')
    if (/^(base64|quoted-printable)$/i.test(head.get('content-transfer-encoding') ?? '')) {
      throw new MultipartFault('a part has a Content-Transfer-Encoding; send the bytes unencoded')
    }
    const bytes = source.until(delimiter)
    const mimeType = head.get('content-type') ?? 'application/octet-stream'
    yield { name: parameters.get('name') ?? '', fileName: fileNameOf(parameters), mimeType, bytes }
    for await (const _ of bytes);
  }
  await source.drain()
}

/** Bytes that arrived and are not parsed yet. */
class Source {
  readonly #chunks: AsyncIterator<Buffer>
  #held: Buffer

  constructor(chunks: AsyncIterator<Buffer>, held: Buffer) {
    this.#chunks = chunks
    this.#held = held
  }

  /** The bytes before the next delimiter; skips the delimiter. */
  async *until(delimiter: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const place = this.#held.indexOf(delimiter)
      // The end of the held bytes may be the start of the delimiter.
      const upTo = place >= 0 ? place : Math.max(0, this.#held.length - delimiter.length + 1)
      const piece = this.#held.subarray(0, upTo)
      this.#held = this.#held.subarray(place >= 0 ? place + delimiter.length : upTo)
      if (piece.length > 0) yield piece
      if (place >= 0) return
      await this.#more()
    }
  }

  /** After a boundary: whether it was the last one. If not, the position is before the line break. */
  async isLast(): Promise<boolean> {
    for (;;) {
      const text = this.#held.toString('latin1', 0, PADDING_MAX)
      if (text.startsWith('--')) return true
      const [padding = ''] = /^[ \t]*/.exec(text) ?? []
      if (text.startsWith('\r\n', padding.length)) {
        this.#held = this.#held.subarray(padding.length)
        return false
      }
      const mayGoOn = /^(-?|[ \t]*\r?)$/.test(text) && text.length < PADDING_MAX
      if (!mayGoOn) throw new MultipartFault('a boundary is followed by unexpected bytes')
      await this.#more()
    }
  }

  /** The headers of a part by lower-case name; the first of duplicates. */
  async head(): Promise<ReadonlyMap<string, string>> {
    let end = this.#held.indexOf(HEAD_END)
    while (end < 0 && this.#held.length <= HEAD_BYTES_MAX) {
      await this.#more()
      end = this.#held.indexOf(HEAD_END)
    }
    if (end < 0 || end > HEAD_BYTES_MAX) throw new MultipartFault('the headers of a part are too long')
    const lines = this.#held
      .toString('utf8', 0, end)
      .replaceAll(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .slice(1)
    this.#held = this.#held.subarray(end + HEAD_END.length)
    const head = new Map<string, string>()
    for (const line of lines) {
      const colon = line.indexOf(':')
      const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
      if (name === '') throw new MultipartFault('a header of a part has no name')
      if (!head.has(name)) head.set(name, line.slice(colon + 1).trim())
    }
    return head
  }

  /** Reads the rest after the last boundary: many clients read the response only after sending everything. */
  async drain(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }

  async #more(): Promise<void> {
    const next = await this.#chunks.next()
    if (next.done) throw new MultipartFault('the form is incomplete; the last boundary is missing')
    this.#held = this.#held.length === 0 ? next.value : Buffer.concat([this.#held, next.value])
  }
}

/** `form-data; name="files"` → value in lower case, and parameters; the first of duplicates. */
function headerOf(header: string): { readonly value: string; readonly parameters: ReadonlyMap<string, string> } {
  const parameters = new Map<string, string>()
  const semicolon = header.indexOf(';')
  const value = semicolon < 0 ? header : header.slice(0, semicolon)
  const rest = semicolon < 0 ? '' : header.slice(semicolon)
  for (const [, name = '', quoted, plain = ''] of rest.matchAll(/;\s*([^\s=;"]+)=(?:"((?:\\"|[^"])*)"|([^;"]*))/g)) {
    const key = name.toLowerCase()
    if (!parameters.has(key)) parameters.set(key, quoted === undefined ? plain.trim() : unquoted(quoted))
  }
  return { value: value.trim().toLowerCase(), parameters }
}

/** Browsers encode quotes and line breaks as %22, %0D and %0A; a backslash may be part of a path. */
function unquoted(text: string): string {
  return text
    .replaceAll('\\"', '"')
    .replaceAll('%22', '"')
    .replaceAll(/%0D|%0A/gi, ' ')
}

/** `filename*`, which some clients send, takes precedence over `filename`. */
function fileNameOf(parameters: ReadonlyMap<string, string>): string | undefined {
  const [, encoded = ''] = /^utf-8'[^']*'([^']+)$/i.exec(parameters.get('filename*') ?? '') ?? []
  const decoded = encoded === '' ? undefined : percentDecoded(encoded)
  return decoded ?? parameters.get('filename')
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
