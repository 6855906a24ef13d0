/** Faulty spreadsheets, each made from a number (G18): the same number, the same file. */
import { type Random, randomInt, randomOf, seededRandom } from '../../../src/kernel/random.ts'
import { csvOf, odsOf, odsParts, type Part, type Value, xlsxOf, xlsxParts, zipOf } from './sheet-files.ts'

/** How many the tests try with every change. */
export const BAD_SHEETS = 1_000

const HEADINGS = ['Name', 'Phone', 'Mobile', 'Case no.', 'Amount']
/** Cell contents that people and programs write. */
const VALUES: readonly Value[] = [
  ...['', ' ', 'Bo', 'Åse Ærø', '+4526000001', '26 00 00 01', '004526000001', '0017', '4.57E+09', '#REF!', '#N/A'],
  ...['=1+1', "'0123", '="0123"', '\u202e', '\ud83d\ude00', 'x'.repeat(2_000), '112', '+4526000001; +4526000002', '"'],
  ...['a;b,c\td', 'line\nline', '-', "'; drop table users; --", '${7*7}', '{{7}}', '../../etc/passwd', '<b>x</b>'],
  ...[0, -1, 4570001001, 4.57e21, 0.1, 1e-9, Number.MAX_SAFE_INTEGER, true, false, null],
  ...[
    { formula: 'WEBSERVICE("http://x.example")', result: '+4526000003' },
    { formula: 'A1', result: '' },
  ],
]

/** The file of this number. */
export function badSheet(number: number): Buffer {
  const random = seededRandom(number)
  const kind = randomOf(random, ['csv', 'csv', 'xlsx', 'ods', 'xml', 'xml', 'noise'] as const)
  const rows = rowsOf(random)
  switch (kind) {
    case 'csv':
      return spoiled(
        random,
        csvOf(rows, randomOf(random, [';', ',', '\t', '|', ':']), randomOf(random, ['\n', '\r\n', '\r'])),
      )
    case 'xlsx':
      return spoiled(random, xlsxOf(rows))
    case 'ods':
      return spoiled(random, odsOf(rows))
    case 'xml':
      return zipOf(spoiledParts(random, randomOf(random, [xlsxParts(rows), odsParts(rows)])))
    case 'noise':
      return Buffer.concat(
        [
          randomOf(random, ['PK\x03\x04', 'PK', '\xd0\xcf\x11\xe0', '\xff\xfe', '\xef\xbb\xbf', 'sep=', '"']),
          Buffer.from(Array.from({ length: randomInt(random, 0, 300) }, () => randomInt(random, 0, 255))),
        ].map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)),
      )
  }
}

function rowsOf(random: Random): Value[][] {
  const body = Array.from({ length: randomInt(random, 0, 6) }, () =>
    Array.from({ length: randomInt(random, 0, 7) }, () => randomOf(random, VALUES)),
  )
  const headings = randomInt(random, 0, 9) === 0 ? [] : [HEADINGS.slice(0, randomInt(random, 1, HEADINGS.length))]
  return [...headings, ...body]
}

/** Truncated, altered at some places, doubled, in another encoding, or with bytes before or behind. */
function spoiled(random: Random, bytes: Buffer): Buffer {
  switch (randomInt(random, 0, 7)) {
    case 0:
      return bytes.subarray(0, randomInt(random, 0, bytes.length))
    case 1:
      return Buffer.concat([bytes, bytes])
    case 2:
      return Buffer.from(bytes.toString('utf8'), 'utf16le')
    case 3:
      return Buffer.concat([Buffer.from('\uFEFF'), bytes])
    case 4:
      return bytes
    default: {
      const changed = Buffer.from(bytes)
      for (let left = randomInt(random, 1, 8); left > 0 && changed.length > 0; left--) {
        changed[randomInt(random, 0, changed.length - 1)] = randomOf(random, [
          0,
          34,
          60,
          255,
          randomInt(random, 0, 255),
        ])
      }
      return changed
    }
  }
}

const WRONG_XML: readonly (readonly [RegExp, string])[] = [
  [/<\/c>/, ''],
  [/<c r="[A-Z]+\d+"/, '<c r="nonsense"'],
  [/<c r="[A-Z]+\d+"/, '<c r="A-7"'],
  [/<c r="[A-Z]+\d+"/, '<c r="A99999999999"'],
  [/<c r="[A-Z]+\d+"/, '<c'],
  [/<row r="\d+"/, '<row r="1e308"'],
  [/<row r="\d+"/, '<row r="-1"'],
  [/<v>[^<]*<\/v>/, '<v>NaN</v>'],
  [/<v>[^<]*<\/v>/, '<v>&bogus;</v>'],
  [/t="inlineStr"/, 't="s"'],
  [/t="inlineStr"/, 't="__proto__"'],
  [/<sheetData>/, '<sheetData><sheetData>'],
  [/<worksheet[^>]*>/, '<worksheet xmlns:x="y"><x:z/>'],
  [/<table:table-cell/, '<table:table-cell table:number-columns-repeated="-5"'],
  [/<table:table-cell/, '<table:table-cell table:number-columns-repeated="1e3"'],
  [/<table:table-cell/, '<table:table-cell office:value-type="date" office:date-value="2026-99-99"'],
  [/<table:table-row/, '<table:table-row table:number-rows-repeated="abc"'],
  [/rId1/, 'rId7'],
  [/worksheets\/sheet1/, '../../../etc/passwd'],
  [/<text:p>/, '<text:p><text:s text:c="999999999"/>'],
  [/>/, '><![CDATA[ <x> ]]>'],
  [/<\?xml[^>]*>/, '<?xml version="1.0" encoding="UTF-16"?>'],
  [/$/, '<'.repeat(50)],
]

function spoiledParts(random: Random, parts: readonly Part[]): Part[] {
  const wrong = Array.from({ length: randomInt(random, 1, 3) }, () => randomOf(random, WRONG_XML))
  const changed = parts.map((part) => {
    const text = wrong.reduce((xml, [what, other]) => xml.replace(what, other), String(part.bytes))
    return /\.(xml|rels)$/.test(part.name) ? { ...part, bytes: text } : part
  })
  return randomInt(random, 0, 9) === 0 ? changed.slice(1) : changed
}
