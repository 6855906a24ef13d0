/** Generated spreadsheets: valid ones and hostile ones (G22). */
import { crc32, deflateRawSync } from 'node:zlib'

/** One part of a ZIP file, with the contents of its records. */
export interface Part {
  readonly name: string
  readonly bytes: Buffer | string
  /** Other bytes in place of the packed ones. */
  readonly packed?: Buffer
  readonly localName?: string
  readonly flags?: number
  readonly method?: number
  readonly saysBytes?: number
  readonly saysPacked?: number
  readonly saysOffset?: number
  readonly saysCrc?: number
  /** Sizes and offset in a ZIP64 field. */
  readonly isWide?: boolean
}

/** False statements in the end record about its directory. */
export interface End {
  readonly count?: number
  readonly offset?: number
  readonly size?: number
  readonly isWide?: boolean
  readonly after?: Buffer
}

/** A ZIP file. */
export function zipOf(parts: readonly Part[], end: End = {}): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const part of parts) {
    const { method = 8, flags = 0, isWide = false } = part
    const bytes = Buffer.from(part.bytes)
    const packed = part.packed ?? (method === 8 ? deflateRawSync(bytes) : bytes)
    const [name, localName] = [part.name, part.localName ?? part.name].map((text) => Buffer.from(text)) as [
      Buffer,
      Buffer,
    ]
    const size = part.saysBytes ?? bytes.length
    const packedSize = part.saysPacked ?? packed.length
    const sum = part.saysCrc ?? crc32(bytes)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(flags, 6)
    local.writeUInt16LE(method, 8)
    for (const [value, place] of [
      [sum, 14],
      [packedSize, 18],
      [size, 22],
    ] as const)
      local.writeUInt32LE(value, place)
    local.writeUInt16LE(localName.length, 26)
    const place = part.saysOffset ?? offset
    const extra = isWide ? wideField(size, packedSize, place) : Buffer.alloc(0)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(flags, 8)
    central.writeUInt16LE(method, 10)
    central.writeUInt32LE(sum, 16)
    central.writeUInt32LE(isWide ? 0xffffffff : packedSize, 20)
    central.writeUInt32LE(isWide ? 0xffffffff : size, 24)
    central.writeUInt16LE(name.length, 28)
    central.writeUInt16LE(extra.length, 30)
    central.writeUInt32LE(isWide ? 0xffffffff : place, 42)
    pieces.push(local, localName, packed)
    directory.push(central, name, extra)
    offset += 30 + localName.length + packed.length
  }
  return Buffer.concat([...pieces, ...directory, endOf(parts.length, offset, directory, end)])
}

function wideField(...values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + values.length * 8)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(values.length * 8, 2)
  for (const [place, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + place * 8)
  return field
}

function endOf(parts: number, begin: number, directory: readonly Buffer[], end: End): Buffer {
  const bytes = Buffer.concat([...directory]).length
  const { count = parts, offset = begin, size = bytes, isWide = false, after = Buffer.alloc(0) } = end
  const wide = Buffer.alloc(isWide ? 76 : 0)
  if (isWide) {
    wide.writeUInt32LE(0x06064b50, 0)
    wide.writeBigUInt64LE(44n, 4)
    for (const [value, place] of [
      [count, 24],
      [count, 32],
      [size, 40],
      [offset, 48],
    ] as const) {
      wide.writeBigUInt64LE(BigInt(value), place)
    }
    wide.writeUInt32LE(0x07064b50, 56)
    wide.writeBigUInt64LE(BigInt(begin + bytes), 64)
    wide.writeUInt32LE(1, 72)
  }
  const last = Buffer.alloc(22)
  last.writeUInt32LE(0x06054b50, 0)
  last.writeUInt16LE(isWide ? 0xffff : count, 8)
  last.writeUInt16LE(isWide ? 0xffff : count, 10)
  last.writeUInt32LE(isWide ? 0xffffffff : size, 12)
  last.writeUInt32LE(isWide ? 0xffffffff : offset, 16)
  return Buffer.concat([wide, last, after])
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
/** Where relations of workbooks are named. */
export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/(?![\t\n\r])\p{Cc}/gu, '')

/** A cell as XML, of a text; a number where it is one; a formula where it says so. */
export type Value = string | number | boolean | { readonly formula: string; readonly result: string } | null

/** The parts of an .xlsx file with these rows. */
export function xlsxParts(rows: readonly (readonly Value[])[], sheetXml = worksheet(rows)): Part[] {
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
  const relations = (inside: string) =>
    `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${inside}</Relationships>`
  const sheets = '<sheets><sheet name="People" sheetId="1" r:id="rId1"/></sheets>'
  return [
    { name: '[Content_Types].xml', bytes: `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"/>` },
    { name: '_rels/.rels', bytes: relations(relation(1, 'officeDocument', 'xl/workbook.xml')) },
    {
      name: 'xl/workbook.xml',
      bytes: `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${sheets}</workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', bytes: relations(relation(1, 'worksheet', 'worksheets/sheet1.xml')) },
    { name: 'xl/worksheets/sheet1.xml', bytes: sheetXml },
  ]
}

/** An .xlsx file with these rows. */
export function xlsxOf(rows: readonly (readonly Value[])[]): Buffer {
  return zipOf(xlsxParts(rows))
}

/** A worksheet with these rows, its texts in the cells themselves. */
export function worksheet(rows: readonly (readonly Value[])[]): string {
  const lines = rows.map((row, place) => {
    const cells = row.map((value, column) => cellXml(value, `${letter(column)}${place + 1}`)).join('')
    return `<row r="${place + 1}">${cells}</row>`
  })
  return `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`
}

function cellXml(value: Value, place: string): string {
  if (value === null) return ''
  if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c r="${place}" t="b"><v>${value ? 1 : 0}</v></c>`
  if (typeof value === 'object') {
    return `<c r="${place}" t="str"><f>${escaped(value.formula)}</f><v>${escaped(value.result)}</v></c>`
  }
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`
}

function letter(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : letter(Math.floor(column / 26) - 1) + last
}

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns'

/** The parts of an .ods file with these rows. */
export function odsParts(rows: readonly (readonly Value[])[], tableXml = odsRows(rows)): Part[] {
  const names = ['office', 'table', 'text'].map((name) => `xmlns:${name}="${OASIS}:${name}:1.0"`).join(' ')
  const table = `<table:table table:name="People">${tableXml}</table:table>`
  const inside = `<office:body><office:spreadsheet>${table}</office:spreadsheet></office:body>`
  return [
    { name: 'mimetype', bytes: 'application/vnd.oasis.opendocument.spreadsheet', method: 0 },
    {
      name: 'content.xml',
      bytes: `${DECLARATION}<office:document-content ${names}>${inside}</office:document-content>`,
    },
  ]
}

/** An .ods file with these rows. */
export function odsOf(rows: readonly (readonly Value[])[]): Buffer {
  return zipOf(odsParts(rows))
}

function odsRows(rows: readonly (readonly Value[])[]): string {
  return rows.map((row) => `<table:table-row>${row.map(odsCell).join('')}</table:table-row>`).join('')
}

function odsCell(value: Value): string {
  if (value === null) return '<table:table-cell/>'
  if (typeof value === 'number') {
    const kind = `office:value-type="float" office:value="${value}"`
    return `<table:table-cell ${kind}><text:p>${value}</text:p></table:table-cell>`
  }
  const text = typeof value === 'object' ? value.result : String(value)
  return `<table:table-cell office:value-type="string"><text:p>${escaped(text)}</text:p></table:table-cell>`
}

/** A text with these rows, every cell in quotes. */
export function csvOf(rows: readonly (readonly Value[])[], delimiter = ';', end = '\r\n'): Buffer {
  const cell = (value: Value) => {
    const text = value === null ? '' : typeof value === 'object' ? value.result : String(value)
    return `"${text.replaceAll('"', '""')}"`
  }
  return Buffer.from(rows.map((row) => row.map(cell).join(delimiter)).join(end))
}
