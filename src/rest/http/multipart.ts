/** Reads `multipart/form-data` as it comes, part by part (RFC 7578); it holds only what it is just looking at. */

/** One part. Its bytes must be read to their end, or not at all, before the next part is asked for. */
export interface FormPart {
  readonly name: string
  /** As it was sent: it may be anything, a path as well. Undefined where there was none. */
  readonly fileName: string | undefined
  readonly mimeType: string
  readonly bytes: AsyncGenerator<Buffer>
}

/** What was sent is no form. */
export class MultipartFault extends Error {}

const HEAD_BYTES_MAX = 16 * 1024
/** Blanks that may follow a boundary. */
const PADDING_MAX = 200
const BREAK = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')

/** The boundary that a `Content-Type` of a form names; undefined when it is none, or names none that can be. */
export function boundaryOf(contentType: string): string | undefined {
  const { value, parameters } = headerOf(contentType)
  const boundary = parameters.get('boundary')
  // RFC 2046, 5.1.1: 70 letters at the most, no blank at its end.
  const isOne = boundary !== undefined && /^[\x20-\x7e]{0,69}[\x21-\x7e]$/.test(boundary)
  return value === 'multipart/form-data' && isOne ? boundary : undefined
}

/** The parts of a form in their order. Throws `MultipartFault` for what is none, or is cut off. */
export async function* readParts(chunks: AsyncIterator<Buffer>, boundary: string): AsyncGenerator<FormPart> {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first boundary may stand at the very beginning.
  const source = new Source(chunks, BREAK)
  for await (const _ of source.until(delimiter));
  while (!(await source.isLast())) {
    const head = await source.head()
    const { value, parameters } = headerOf(head.get('content-disposition') ?? '')
    if (value !== 'form-data') throw new MultipartFault('a part does not say that it is form-data')
    if (/^(base64|quoted-printable)$/i.test(head.get('content-transfer-encoding') ?? '')) {
      throw new MultipartFault('a part is encoded; send its bytes as they are')
    }
    const bytes = source.until(delimiter)
    const mimeType = head.get('content-type') ?? 'application/octet-stream'
    yield { name: parameters.get('name') ?? '', fileName: fileNameOf(parameters), mimeType, bytes }
    for await (const _ of bytes);
  }
  await source.drain()
}

/** What has come and was not looked at yet. */
class Source {
  readonly #chunks: AsyncIterator<Buffer>
  #held: Buffer

  constructor(chunks: AsyncIterator<Buffer>, held: Buffer) {
    this.#chunks = chunks
    this.#held = held
  }

  /** Everything before the next delimiter, which is passed over. */
  async *until(delimiter: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const place = this.#held.indexOf(delimiter)
      // The end of what is held may be the begin of the delimiter.
      const upTo = place >= 0 ? place : Math.max(0, this.#held.length - delimiter.length + 1)
      const piece = this.#held.subarray(0, upTo)
      this.#held = this.#held.subarray(place >= 0 ? place + delimiter.length : upTo)
      if (piece.length > 0) yield piece
      if (place >= 0) return
      await this.#more()
    }
  }

  /** After a boundary: whether it was the last one. Stands before the line break otherwise. */
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
      if (!mayGoOn) throw new MultipartFault('a boundary is followed by something else')
      await this.#more()
    }
  }

  /** The headers of a part, by their names in small letters; of doubled ones the first. */
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

  /** What follows the last boundary is nothing to us, and is read all the same: an answer is heard only after it. */
  async drain(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }

  async #more(): Promise<void> {
    const next = await this.#chunks.next()
    if (next.done) throw new MultipartFault('the form has no end; its last boundary did not come')
    this.#held = this.#held.length === 0 ? next.value : Buffer.concat([this.#held, next.value])
  }
}

/** `form-data; name="files"` → its value in small letters, and its parameters; of doubled ones the first. */
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

/** Browsers write the three signs that cannot stand there as %22, %0D and %0A; a backslash may be part of a path. */
function unquoted(text: string): string {
  return text
    .replaceAll('\\"', '"')
    .replaceAll('%22', '"')
    .replaceAll(/%0D|%0A/gi, ' ')
}

/** `filename*`, which some clients send, says more than `filename`. */
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
