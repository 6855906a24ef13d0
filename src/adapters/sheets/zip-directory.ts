/**
 * Checks the directory of a ZIP file before anything is unpacked (F-I13, F-J4; APPNOTE.TXT). It refuses what two
 * readers could read differently: overlapping parts, repeated names, names that differ from the local header,
 * impossible sizes.
 */
import { ENTRIES_MAX, RATIO_COUNTS_FROM_BYTES, RATIO_MAX, SheetFault, UNPACKED_BYTES_MAX } from './sheet-limits.ts'

export interface ZipEntry {
  readonly name: string
  readonly isPacked: boolean
  readonly crc32: number
  readonly packedBytes: number
  readonly bytes: number
  /** Offset of its packed bytes. */
  readonly offset: number
}

const END = 0x06054b50
const END_BYTES = 22
const END64 = 0x06064b50
const LOCATOR64 = 0x07064b50
const LOCATOR64_BYTES = 20
const CENTRAL = 0x02014b50
const CENTRAL_BYTES = 46
const LOCAL = 0x04034b50
const LOCAL_BYTES = 30
const COMMENT_MAX = 0xffff
const EXTRA64 = 1
const IS_64_BIT = 0xffffffff
const STORED = 0
const DEFLATED = 8
const IS_ENCRYPTED = 1

const BROKEN = 'the file is damaged; open it in a spreadsheet program and save it anew'
const TOO_LARGE = `unpacked it has more than ${UNPACKED_BYTES_MAX / 1024 / 1024} MiB; divide it, or save it as CSV`

/** All parts. Throws a `SheetFault` if the file is inconsistent or too large. */
export function zipEntries(zip: Buffer): readonly ZipEntry[] {
  try {
    return walked(zip)
  } catch (error) {
    // An offset outside the file.
    if (error instanceof RangeError) throw new SheetFault(BROKEN)
    throw error
  }
}

function walked(zip: Buffer): readonly ZipEntry[] {
  const { count, offset, end } = directoryOf(zip)
  if (count === 0) throw new SheetFault('the file is empty')
  if (count > ENTRIES_MAX) throw new SheetFault(`the file has more than ${ENTRIES_MAX} parts; save it as CSV`)
  const entries: Placed[] = []
  let place = offset
  for (let left = count; left > 0; left--) {
    const { entry, next } = readEntry(zip, place, offset)
    entries.push(entry)
    place = next
  }
  if (place > end) throw new SheetFault(BROKEN)
  checkPlaces(entries)
  checkSizes(entries, zip.length)
  return entries
}

interface Placed extends ZipEntry {
  /** Offset of its header. */
  readonly from: number
}

/** The position of the directory, and the number of its parts. */
function directoryOf(zip: Buffer): { readonly count: number; readonly offset: number; readonly end: number } {
  const at = endOf(zip)
  const isSplit = zip.readUInt16LE(at + 4) !== 0
  const locator = at - LOCATOR64_BYTES
  const is64 = locator >= 0 && zip.readUInt32LE(locator) === LOCATOR64
  if (isSplit) throw new SheetFault(BROKEN)
  if (!is64) return inside(zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 12), at)
  const at64 = whole(zip.readBigUInt64LE(locator + 8))
  if (zip.readUInt32LE(at64) !== END64) throw new SheetFault(BROKEN)
  const [count, size, offset] = [32, 40, 48].map((place) => whole(zip.readBigUInt64LE(at64 + place)))
  return inside(count ?? 0, offset ?? 0, size ?? 0, at64)
}

function inside(count: number, offset: number, size: number, before: number) {
  if (offset + size > before) throw new SheetFault(BROKEN)
  return { count, offset, end: offset + size }
}

/** The last record of the file: only its own comment may follow. */
function endOf(zip: Buffer): number {
  for (let at = zip.length - END_BYTES; at >= Math.max(0, zip.length - END_BYTES - COMMENT_MAX); at--) {
    if (zip.readUInt32LE(at) === END && at + END_BYTES + zip.readUInt16LE(at + 20) === zip.length) return at
  }
  throw new SheetFault(BROKEN)
}

function readEntry(zip: Buffer, at: number, directory: number): { readonly entry: Placed; readonly next: number } {
  if (zip.readUInt32LE(at) !== CENTRAL) throw new SheetFault(BROKEN)
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place)) as [
    number,
    number,
    number,
  ]
  const names = at + CENTRAL_BYTES
  const rawName = zip.subarray(names, names + nameLength)
  const extra = zip.subarray(names + nameLength, names + nameLength + extraLength)
  const [bytes, packedBytes, from] = sizesOf(zip, at, extra)
  const method = zip.readUInt16LE(at + 10)
  if ((zip.readUInt16LE(at + 8) & IS_ENCRYPTED) !== 0) {
    throw new SheetFault('the file is protected by a password; save it without one')
  }
  if (method !== STORED && method !== DEFLATED) throw new SheetFault(BROKEN)
  if (method === STORED && bytes !== packedBytes) throw new SheetFault(BROKEN)
  const isSame = zip.readUInt32LE(from) === LOCAL && zip.readUInt16LE(from + 26) === nameLength
  const local = zip.subarray(from + LOCAL_BYTES, from + LOCAL_BYTES + nameLength)
  if (!isSame || !local.equals(rawName)) throw new SheetFault(BROKEN)
  const offset = from + LOCAL_BYTES + nameLength + zip.readUInt16LE(from + 28)
  if (offset + packedBytes > directory) throw new SheetFault(BROKEN)
  const crc32 = zip.readUInt32LE(at + 16)
  const entry = { name: nameOf(rawName), isPacked: method === DEFLATED, crc32, packedBytes, bytes, offset, from }
  return { entry, next: names + nameLength + extraLength + commentLength }
}

/** Size, packed size and offset; large values are in a separate field (ZIP64), in this order. */
function sizesOf(zip: Buffer, at: number, extra: Buffer): readonly [number, number, number] {
  const wide = wideField(extra)
  let next = 0
  const read = (place: number) => {
    const narrow = zip.readUInt32LE(at + place)
    if (narrow !== IS_64_BIT) return narrow
    next += 8
    return whole(wide.readBigUInt64LE(next - 8))
  }
  return [read(24), read(20), read(42)]
}

function wideField(extra: Buffer): Buffer {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === EXTRA64) return extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
  }
  return Buffer.alloc(0)
}

/** Names are never used as paths; a name that leads out of the archive comes from an attacker. */
function nameOf(raw: Buffer): string {
  const name = raw.toString('utf8')
  const isHonest = name !== '' && !/[\\\0:]|^\//.test(name) && !name.split('/').includes('..')
  if (!isHonest) throw new SheetFault(BROKEN)
  return name
}

function checkPlaces(entries: readonly Placed[]): void {
  if (new Set(entries.map(({ name }) => name.toLowerCase())).size < entries.length) throw new SheetFault(BROKEN)
  const inOrder = [...entries].sort((a, b) => a.from - b.from)
  for (const [place, { offset, packedBytes }] of inOrder.entries()) {
    const next = inOrder[place + 1]
    if (next && next.from < offset + packedBytes) throw new SheetFault(BROKEN)
  }
}

function checkSizes(entries: readonly ZipEntry[], fileBytes: number): void {
  const all = entries.reduce((sum, { bytes }) => sum + bytes, 0)
  if (all > UNPACKED_BYTES_MAX) throw new SheetFault(TOO_LARGE)
  const isBomb = (bytes: number, packed: number) => bytes > RATIO_COUNTS_FROM_BYTES && bytes > packed * RATIO_MAX
  if (isBomb(all, fileBytes) || entries.some(({ bytes, packedBytes }) => isBomb(bytes, packedBytes))) {
    throw new SheetFault(`unpacked it is more than ${RATIO_MAX} times as large; save it as CSV`)
  }
}

function whole(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new SheetFault(BROKEN)
  return Number(value)
}
