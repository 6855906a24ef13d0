/**
 * Sanitizes foreign HTML (D-19, D-22, F-J2; why without a library: email-14). Tags outside the list are removed and
 * their text stays; elements without readable text, such as scripts, are removed with their content.
 */
import { Parser } from 'htmlparser2'
import { plainContentId } from './content-id.ts'

/** Tags of a comment (D-22). */
export const COMMENT_TAGS: ReadonlySet<string> = new Set(
  'p br b i u strong em ul ol li a blockquote code pre table caption colgroup col thead tbody tfoot tr td th img'.split(
    ' ',
  ),
)

/** Tags of an email: also those that mail programs build paragraphs with. Our choice; none of them is active. */
export const MAIL_TAGS: ReadonlySet<string> = new Set([
  ...COMMENT_TAGS,
  ...'div span h1 h2 h3 h4 h5 h6 hr sub sup small s del ins dl dt dd center address'.split(' '),
])

/** Their content is for programs or follows other parsing rules: it is removed. */
const UNSEEN = new Set(
  (
    'script style head title noscript iframe frame frameset object embed applet svg math textarea select template ' +
    'xmp noembed noframes plaintext audio video canvas button'
  ).split(' '),
)
const VOID = new Set(['br', 'img', 'hr', 'col'])
const BLOCKS = new Set(
  'p br div tr li ul ol table blockquote pre h1 h2 h3 h4 h5 h6 hr dl dt dd center address caption'.split(' '),
)
/** Deeper nesting adds nothing visible and slows every browser. */
const DEPTH_MAX = 60
const READ_DEPTH_MAX = 1_000
const PIECE_LETTERS = 8_192
const LINK_LETTERS_MAX = 2_000

/** The sanitized HTML: well-formed, and unchanged by a second pass. */
export function safeHtml(html: string, tags: ReadonlySet<string> = COMMENT_TAGS): string {
  const { safe, isWhole } = clean(html, tags)
  // Without a removed tag, its neighbours may be parsed differently.
  return isWhole ? safe : clean(safe, tags).safe
}

function clean(html: string, tags: ReadonlySet<string>): { readonly safe: string; readonly isWhole: boolean } {
  const out: string[] = []
  /** Open tags in order; undefined for a removed one. */
  const open: (string | undefined)[] = []
  let depth = 0
  let isWhole = true
  const unseen = unseenCounter()
  read(html, {
    onOpen(name, attributes) {
      unseen.open(name)
      const isKept = !unseen.isInside() && tags.has(name) && (VOID.has(name) || depth < DEPTH_MAX)
      const given = isKept ? attributesOf(name, attributes) : undefined
      if (given === undefined) isWhole = false
      else out.push(`<${name}${given}>`)
      if (VOID.has(name)) return
      open.push(given === undefined ? undefined : name)
      if (given !== undefined) depth++
    },
    onText(text) {
      if (!unseen.isInside()) out.push(escaped(text))
    },
    onClose(name) {
      unseen.close(name)
      if (VOID.has(name)) return
      const kept = open.pop()
      if (kept === undefined) return
      depth--
      out.push(`</${kept}>`)
    },
  })
  return { safe: out.join(''), isWhole }
}

/** The readable text, line by line. */
export function textOfHtml(html: string): string {
  const out: string[] = []
  const unseen = unseenCounter()
  const breakLine = (name: string) => {
    if (BLOCKS.has(name)) out.push('\n')
  }
  read(html, {
    onOpen(name) {
      unseen.open(name)
      breakLine(name)
    },
    onText(text) {
      if (!unseen.isInside()) out.push(text.replaceAll(/\s+/g, ' '))
    },
    onClose(name) {
      unseen.close(name)
      if (name !== 'br') breakLine(name)
    },
  })
  const lines = out
    .join('')
    .split('\n')
    .map((line) => line.trim())
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

interface Reader {
  onOpen(name: string, attributes: Readonly<Record<string, string>>): void
  onText(text: string): void
  onClose(name: string): void
}

/**
 * Reports every open tag and its close, in proper nesting for any input. The parser's work grows with the square of the
 * depth, so the input is cut at a depth that no real email reaches.
 */
function read(html: string, { onOpen, onText, onClose }: Reader): void {
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++
        onOpen(name, attributes)
      },
      ontext: onText,
      onclosetag(name) {
        depth--
        onClose(name)
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  for (let from = 0; from < html.length && depth < READ_DEPTH_MAX; from += PIECE_LETTERS) {
    parser.write(html.slice(from, from + PIECE_LETTERS))
  }
  parser.end()
}

function unseenCounter() {
  let count = 0
  return {
    open: (name: string) => void (UNSEEN.has(name) && count++),
    close: (name: string) => void (UNSEEN.has(name) && count--),
    isInside: () => count > 0,
  }
}

/** The allowed attributes as text; undefined: the tag is useless without a removed attribute. */
function attributesOf(name: string, given: Readonly<Record<string, string>>): string | undefined {
  if (name === 'a') {
    const href = safeLink(given['href'])
    // The target does not learn where the reader came from.
    return href === undefined ? '' : `${attribute('href', href)} rel="noopener noreferrer nofollow"`
  }
  if (name === 'img') {
    // A remote picture tells its owner that and when the email was read.
    const [, reference] = /^cid:(.*)$/is.exec(given['src']?.trim() ?? '') ?? []
    const id = reference === undefined ? undefined : plainContentId(reference)
    if (id === undefined) return undefined
    return (
      attribute('src', `cid:${id}`) + attribute('alt', given['alt']) + number('width', given) + number('height', given)
    )
  }
  if (name === 'td' || name === 'th') return number('colspan', given) + number('rowspan', given)
  return ''
}

function safeLink(given: string | undefined): string | undefined {
  if (given === undefined || given.length > LINK_LETTERS_MAX || !URL.canParse(given)) return undefined
  const { protocol, href } = new URL(given)
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined
}

function attribute(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}="${escaped(value)}"`
}

function number(name: string, given: Readonly<Record<string, string>>): string {
  const digits = /^\d{1,4}$/.exec(given[name] ?? '')?.[0]
  return digits === undefined ? '' : ` ${name}="${digits}"`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll('\u0000', '').replaceAll(/[&<>"']/g, (letter) => ESCAPES[letter]!)
}
