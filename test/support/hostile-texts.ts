/** Texts as somebody who means harm writes them into a name: what runs, hides, turns, swells, or reads as a formula. */
import { type Random, randomInt, randomOf } from '../../src/kernel/random.ts'
import { PLAIN_PAYLOADS } from './html-payloads.ts'

const WORDS = ['Anna', 'Berg', 'kontor', 'Søndergård', 'עברית', 'العربية', '名前', 'ไทย', 'Ελένη']
/** Each is put before, into and after a word. */
const MARKS = [
  ...['\u202e', '\u202d', '\u2066', '\u2067', '\u2069', '\u200f', '\u061c', '\u200b', '\u200d', '\u2060', '\ufeff'],
  ...['\u00ad', '\u180e', '\u2028', '\u2029', '\u0085', '\u009b', '\u{e0041}', '\u115f', '\u3164', '\u0000'],
  ...['\u0007', '\u001b[31m', '\r\n', '\t', '\u007f', '\ud800', '\udc00', '\ufffe', '\u{1f468}\u200d\u{1f469}'],
  '🏳️‍🌈',
  ...[
    '\u0301'.repeat(60),
    '\u0e47'.repeat(40),
    '\u0489'.repeat(30),
    '﷽﷽﷽﷽',
    '\u{12031}\u{12031}',
    '\u{1f3f4}'.repeat(40),
  ],
]
const STARTS = ['=cmd|"/c calc"!A1', '=HYPERLINK("http://canary.example/","x")', '+1+1', '-2+3', '@SUM(A1)', '\t=1']
const TEMPLATES = [
  ...['{name}', '{externalCaseNumber}', '{{constructor.constructor("hit()")()}}', '$' + '{hit()}', '<%= hit() %>'],
  ...['{__proto__}', '{toString}', '{count}', '{at}', '{time}', '#{hit()}', '%s%n%x', '$&$1$`', '{$CODE}', '{0}'],
  ...['__proto__', 'constructor', 'hasOwnProperty', 'undefined', 'null', 'NaN', '[object Object]', '-1', '0', '[]'],
]
const STYLES = [
  ...['}*{display:none}', 'position:fixed;inset:0;z-index:9999', ';background:url(http://canary.example/css)'],
  ...['</style><style>*{display:none}</style>', '@import "http://canary.example/i.css";', 'expression(hit())'],
]
const ADDRESSES = [
  ...['javascript:hit()', 'JaVa\tScRiPt:hit()', 'data:text/html,<script>hit()</script>', 'vbscript:hit()'],
  ...['//canary.example/x', 'http://canary.example/a.png', '\\\\canary.example\\share', 'blob:http://canary.example/1'],
  ...['../../../etc/passwd', 'a.exe\u202egnp.', 'CON.txt', 'x"; filename="y.html', "'; drop table calls; --"],
]

const KINDS: readonly ((random: Random) => string)[] = [
  (random) => randomOf(random, PLAIN_PAYLOADS).html,
  (random) =>
    `${randomOf(random, ['"', "'", '`', '">', "'/>", ']]>', '-->', '</textarea>', '</option>'])}${
      randomOf(random, PLAIN_PAYLOADS).html
    }`,
  (random) => randomOf(random, ADDRESSES),
  (random) => `${randomOf(random, STARTS)} ${randomOf(random, WORDS)}`,
  (random) => randomOf(random, TEMPLATES),
  (random) => randomOf(random, STYLES),
  (random) => {
    const [word, mark] = [randomOf(random, WORDS), randomOf(random, MARKS)]
    const place = randomInt(random, 0, word.length)
    return `${word.slice(0, place)}${mark}${word.slice(place)}${randomOf(random, MARKS)}${randomOf(random, WORDS)}`
  },
  (random) =>
    randomOf(random, [
      'w',
      'W',
      '名',
      'ש',
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
      'a\u0301',
      '&amp;',
      '<b>',
    ]).repeat(randomInt(random, 40, 1_000)),
]

/** A text of so many UTF-16 units at most is shown whole. */
const SHORT = 40

/** Hands out texts, each with a number of its own, by which a reader finds it on a page: no two are equal. */
export function hostileTexts(random: Random) {
  let count = 0
  /** `most`: UTF-16 units that the field takes; `isAllowed`: false for what it refuses. Another one takes its place. */
  const next = (most: number, isAllowed: (text: string) => boolean = () => true): string => {
    const text = randomOf(random, KINDS)(random).replaceAll('\u0000', '\u0001')
    const number = `#${count + 1};`
    // Beginnings are what harms in a sheet; of a long text the end is not shown.
    const whole = text.length <= SHORT ? `${text}${number}` : `${number}${text}`
    const cut = whole.slice(0, most)
    if (!isAllowed(cut) || !cut.includes(number)) return next(most, isAllowed)
    count++
    return cut
  }
  return {
    next,
    list: (length: number, most: number, isAllowed?: (text: string) => boolean) =>
      Array.from({ length }, () => next(most, isAllowed)),
    count: () => count,
  }
}
