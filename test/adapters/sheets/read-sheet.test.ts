/** A read spreadsheet has the values that a person sees, digit by digit. */
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSheet } from '../../../src/adapters/sheets/read-sheet.ts'
import type { SheetFile } from '../../../src/ports/sheets.ts'
import {
  csvOf,
  OFFICE,
  odsOf,
  odsParts,
  type Part,
  type Value,
  worksheet,
  xlsxOf,
  xlsxParts,
  zipOf,
} from './sheet-files.ts'

const read = async (bytes: Uint8Array, more: Partial<SheetFile> = {}) => readSheet({ bytes, ...more })
const cellsOf = async (bytes: Uint8Array, more: Partial<SheetFile> = {}) => {
  const reading = await read(bytes, more)
  return reading.ok ? reading.rows.map(({ cells }) => cells) : reading.why
}
const ROWS: readonly (readonly Value[])[] = [
  ['Navn', 'Tlf', 'Sag'],
  ['Åse Ærø', '+4526000001', '0017'],
  ['Bo', 4570001001123, { formula: '1+1', result: '2' }],
]
const TEXTS = [
  ['Navn', 'Tlf', 'Sag'],
  ['Åse Ærø', '+4526000001', '0017'],
  ['Bo', '4570001001123', '2'],
]

describe('a sheet', () => {
  test.each([
    ['.xlsx', xlsxOf(ROWS)],
    ['.ods', odsOf(ROWS)],
    ['CSV with semicolons', csvOf(ROWS)],
    ['CSV with commas', csvOf(ROWS, ',', '\n')],
    ['CSV with tabs and old line ends', csvOf(ROWS, '\t', '\r')],
    ['CSV that says what divides its cells', Buffer.concat([Buffer.from('sep=|\r\n'), csvOf(ROWS, '|')])],
    ['CSV with a mark of its encoding', Buffer.concat([Buffer.from('\uFEFF'), csvOf(ROWS)])],
    ['CSV in UTF-16', Buffer.from(`\uFEFF${csvOf(ROWS)}`, 'utf16le')],
    ['CSV in UTF-16 the other way round', Buffer.from(`\uFEFF${csvOf(ROWS)}`, 'utf16le').swap16()],
    ['CSV in UTF-16 without a mark', Buffer.from(csvOf(ROWS).toString(), 'utf16le')],
    ['CSV in windows-1252', Buffer.from(csvOf(ROWS).toString(), 'latin1')],
  ])('of the kind %s says the same, with all digits and zeros', async (_kind, bytes) => {
    expect(await cellsOf(bytes)).toEqual(TEXTS)
  })

  test('in windows-1257 is recognised by š and ž, and any encoding can be set', async () => {
    const baltic = Buffer.from('Nimi;Tel\r\nT\xf5nis \xd0akk ja \xfean;1', 'latin1')
    expect(await cellsOf(baltic)).toEqual([
      ['Nimi', 'Tel'],
      ['Tõnis Šakk ja žan', '1'],
    ])
    const lithuanian = Buffer.from('Vardas;Tel\r\nJ\xfbrat\xeb;1', 'latin1')
    expect(await cellsOf(lithuanian, { charset: 'windows-1257' })).toEqual([
      ['Vardas', 'Tel'],
      ['Jūratė', '1'],
    ])
  })

  test('counts its rows as people see them, blank ones too', async () => {
    const sparse = xlsxParts(
      [],
      worksheet([['Name']])
        .replace('r="1"', 'r="5"')
        .replace('A1', 'A5'),
    )
    const rows = [[], ['Name'], [' '], ['Bo']]
    for (const bytes of [csvOf(rows), xlsxOf(rows), odsOf(rows)]) {
      expect(await read(bytes)).toMatchObject({ rows: [{ row: 2 }, { row: 4 }] })
    }
    expect(await read(zipOf(sparse))).toMatchObject({ rows: [{ row: 5, cells: ['Name'] }] })
  })

  test('has dates as ISO texts, booleans as words, fractions without rounding noise', async () => {
    const styles = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2">
      <xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>`
    const cells = [46082, 46082.354166666664, 0.5].map(
      (day, place) => `<c r="${'ABC'[place]}1" s="1"><v>${day}</v></c>`,
    )
    const others = '<c r="D1" t="b"><v>1</v></c><c r="E1"><v>0.30000000000000004</v></c><c r="F1"><v>1E+20</v></c>'
    const sheet = worksheet([]).replace('<sheetData>', `<sheetData><row r="1">${cells.join('')}${others}</row>`)
    const relation = `<Relationship Id="rId9" Type="${OFFICE}/styles" Target="styles.xml"/>`
    const parts = xlsxParts([], sheet).map((part) =>
      part.name === 'xl/_rels/workbook.xml.rels'
        ? { ...part, bytes: String(part.bytes).replace('</Relationships>', `${relation}</Relationships>`) }
        : part,
    )
    expect(await cellsOf(zipOf([...parts, { name: 'xl/styles.xml', bytes: styles }]))).toEqual([
      ['2026-03-01', '2026-03-01T08:30:00', '12:00:00', 'TRUE', '0.3', '100000000000000000000'],
    ])
  })

  test('may use either ZIP64 form, and say so in its directory', async () => {
    const wide = xlsxParts(ROWS).map((part) => ({ ...part, isWide: true }))
    expect(await cellsOf(zipOf(wide, { isWide: true }))).toEqual(TEXTS)
  })

  test('of a workbook may be chosen; a missing sheet is never replaced by another', async () => {
    expect(await cellsOf(xlsxOf(ROWS), { sheet: 1 })).toEqual(TEXTS)
    for (const bytes of [xlsxOf(ROWS), odsOf(ROWS)]) {
      expect(await cellsOf(bytes, { sheet: 2 })).toBe('sheet 2 of the workbook is empty, or is not there')
    }
  })

  test('with merged cells, external links and macros yields its values alone (F-I13)', async () => {
    const merged = '</sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'
    const linked = [{ formula: "'[http://x.example/b.xlsx]S'!A1", result: '7' }, 'x']
    const parts = xlsxParts([], worksheet([linked]).replace('</sheetData>', merged))
    const macros = { name: 'xl/vbaProject.bin', bytes: 'Sub Auto_Open()' }
    expect(await cellsOf(zipOf([...parts, macros]))).toEqual([['7', 'x']])
  })

  test('is read back as it was written, with any content', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((some) => !/[\0\r\n\uFEFF]/.test(some))
    const row = fc.array(text, { minLength: 2, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(';', ',', '\t'),
        async (rows, by) => {
          const all = [['Name', 'Phone', 'Case', 'X'], ...rows]
          const trimmed = all
            .map((cells) => cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1))
            .filter(({ length }) => length > 0)
          expect(await cellsOf(csvOf(all, by))).toEqual(trimmed)
        },
      ),
      { numRuns: 60 },
    )
  })
})

/** G22, F-I13, F-J4: each of these is refused with a sentence, before anything large is allocated. */
describe('a hostile file is refused:', () => {
  const good = xlsxParts(ROWS)
  const withPart = (name: string, change: Partial<Part>) =>
    zipOf(good.map((part) => (part.name === name ? { ...part, ...change } : part)))
  const SHEET = 'xl/worksheets/sheet1.xml'
  const zeros = (mib: number) => Buffer.alloc(mib * 1024 * 1024)
  const withXml = (xml: string) => withPart(SHEET, { bytes: xml })
  const laughs = Array.from({ length: 9 }, (_, place) => `<!ENTITY l${place + 1} "${`&l${place};`.repeat(10)}">`).join(
    '',
  )
  const packedZeros = deflateRawSync(zeros(8))
  const repeatedRows = odsParts(
    [],
    `<table:table-row table:number-rows-repeated="1048576">${'<table:table-cell><text:p>x</text:p></table:table-cell>'}
      </table:table-row>`,
  )

  const HOSTILE: Readonly<Record<string, Buffer>> = {
    'a bomb that says its size': zipOf([...good, { name: 'x', bytes: zeros(8) }]),
    'a bomb that says a small size': withPart(SHEET, { packed: packedZeros }),
    'a bomb that says no size': withPart(SHEET, { packed: packedZeros, saysBytes: 0, saysCrc: 0 }),
    'a bomb that says more than can be': withPart(SHEET, { saysBytes: 0xfffffff0 }),
    'many small parts that are large together': zipOf([
      ...good,
      ...Array.from({ length: 300 }, (_, place) => ({
        name: `x${place}`,
        bytes: '',
        packed: Buffer.alloc(9_000),
        saysBytes: 800_000,
      })),
    ]),
    'parts that lie over each other': zipOf([...good, { name: 'xl/styles.xml', bytes: 'x', saysOffset: 0 }]),
    'a quoted bomb: each part within the one before': zipOf(
      Array.from({ length: 40 }, (_, place) => ({ name: `a${place}`, bytes: 'x', saysOffset: 0, localName: 'a0' })),
    ),
    'a name that comes twice': zipOf([...good, { name: SHEET, bytes: worksheet([['other']]) }]),
    'a name that differs where the bytes are': withPart(SHEET, { localName: 'xl/worksheets/sheet2.xml' }),
    'a part with a password': withPart(SHEET, { flags: 1 }),
    'a way of packing that nobody knows': withPart(SHEET, { method: 99 }),
    'a wrong check sum': withPart(SHEET, { saysCrc: 7 }),
    'packed bytes that are none': withPart(SHEET, { packed: Buffer.from('no deflate stream') }),
    'more packed bytes than there are': withPart(SHEET, { saysPacked: 5_000_000 }),
    'a place behind the end': withPart(SHEET, { saysOffset: 0xfffffff0 }),
    'a name that leads out': zipOf([...good, { name: '../../etc/passwd', bytes: 'x' }]),
    'a name from the root': zipOf([...good, { name: '/etc/passwd', bytes: 'x' }]),
    'a name of another system': zipOf([...good, { name: 'C:\\windows\\x', bytes: 'x' }]),
    'a name with a zero in it': zipOf([...good, { name: 'xl/a\0b', bytes: 'x' }]),
    'a name that is none': zipOf([...good, { name: '', bytes: 'x' }]),
    'no part at all': zipOf([]),
    'fewer parts than it says': zipOf(good, { count: good.length + 1 }),
    'more parts than anybody has': zipOf(good, { count: 60_000 }),
    'parts without number, by ZIP64': zipOf(good, { count: 2 ** 40, isWide: true }),
    'a directory that begins elsewhere': zipOf(good, { offset: 3 }),
    'a directory larger than the file': zipOf(good, { size: 2 ** 31 }),
    'a directory behind the end, by ZIP64': zipOf(good, { offset: 2 ** 50, isWide: true }),
    'something behind its end': zipOf(good, { after: Buffer.from('and more') }),
    'a file within the file': zipOf([{ name: 'inner.xlsx', bytes: xlsxOf(ROWS) }]),
    'a mimetype without a sheet': zipOf([{ name: 'mimetype', bytes: 'application/epub+zip', method: 0 }]),
    'no worksheet': zipOf(good.slice(0, -1)),
    'a workbook of the binary kind': zipOf([{ name: 'xl/workbook.bin', bytes: 'x' }]),
    'a billion laughs': withXml(`<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]><worksheet>&l9;</worksheet>`),
    'an entity from a file': withXml(
      '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><worksheet>&f;</worksheet>',
    ),
    'an entity from elsewhere': withXml('<!DOCTYPE x SYSTEM "http://example.com/x.dtd"><worksheet/>'),
    'a million rows that are one': zipOf(repeatedRows),
    'an .ods file with a password': zipOf([
      ...odsParts(ROWS),
      { name: 'META-INF/manifest.xml', bytes: '<manifest:encryption-data/>' },
    ]),
    'an old .xls file': Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'a PDF': Buffer.from('%PDF-1.7\n'),
    'a picture': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    'an empty file': Buffer.alloc(0),
    'a cell that is never closed': Buffer.from(`Name;Phone\r\n"Bo;1\r\n${'x;y\r\n'.repeat(100)}`),
    'a cell of a million letters': csvOf([['Name'], ['x'.repeat(1_000_000)]]),
    'a thousand columns': csvOf([Array.from({ length: 1_000 }, String)]),
    'a cell in the last column there is': withXml(worksheet([['x']]).replace('A1', 'XFD1')),
    'a cell behind the last column': withXml(worksheet([['x']]).replace('A1', 'ZZZZZ1')),
  }

  test.each(Object.entries(HOSTILE))('%s', async (_name, bytes) => {
    const reading = await read(bytes)
    expect(reading.ok ? reading.rows.slice(0, 3) : reading.why).toMatch(/^[a-z].{10,}[^.]$/i)
  })

  test('also if it is truncated at any place', async () => {
    const whole = xlsxOf(ROWS)
    for (let length = 2; length < whole.length; length += 7) {
      expect((await read(whole.subarray(0, length))).ok, `${length}`).toBe(false)
    }
  })

  test('and files beside the sheet are not opened', async () => {
    const beside = ['xl/media/image1.png', 'xl/vbaProject.bin', 'xl/externalLinks/externalLink1.xml', 'inner.zip']
    const more = beside.map((name) => ({ name, bytes: '<!DOCTYPE x>', packed: Buffer.from('not even packed') }))
    expect(await cellsOf(zipOf([...good, ...more]))).toEqual(TEXTS)
  })
})
