/** Small PNG files of pages: a palette of at most 256 colours instead of four bytes a pixel. */
import { crc32, deflateSync } from 'node:zlib'

/** Pixels by rows, four bytes each: red, green, blue, opacity. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const COLOURS_MAX = 256
/** Colours closer than this are one: the eye sees no difference, and the palette has room. */
const STEP = 8
const BIT_DEPTH = 8
const INDEXED = 3

/** Rounds every colour, in place; the same picture becomes the same pixels. Opacity is taken as full. */
export function roundColours({ data }: Pixels): void {
  for (let at = 0; at < data.length; at++) {
    data[at] = at % 4 === 3 ? 255 : Math.min(255, Math.round(data[at]! / STEP) * STEP)
  }
}

/** The file (W3C PNG, third edition). Of more than 256 colours the rarest become the nearest of the others. */
export function indexedPng({ width, height, data }: Pixels): Buffer {
  const colours = new Uint32Array(width * height)
  const counts = new Map<number, number>()
  for (let pixel = 0; pixel < colours.length; pixel++) {
    const at = pixel * 4
    const colour = (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!
    colours[pixel] = colour
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const byCount = [...counts.keys()].sort((one, other) => counts.get(other)! - counts.get(one)! || one - other)
  const palette = byCount.slice(0, COLOURS_MAX)
  const places = new Map(byCount.map((colour, at) => [colour, at < COLOURS_MAX ? at : nearest(palette, colour)]))
  // Each row begins with its filter: none.
  const rows = Buffer.alloc((width + 1) * height)
  for (let pixel = 0; pixel < colours.length; pixel++) {
    rows[Math.floor(pixel / width) * (width + 1) + 1 + (pixel % width)] = places.get(colours[pixel]!)!
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = BIT_DEPTH
  header[9] = INDEXED
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

function nearest(palette: readonly number[], colour: number): number {
  const distances = palette.map((one) => distance(one, colour))
  return distances.indexOf(Math.min(...distances))
}

function distance(one: number, other: number): number {
  const [red, green, blue] = channels(one)
  const [otherRed, otherGreen, otherBlue] = channels(other)
  return Math.abs(red - otherRed) + Math.abs(green - otherGreen) + Math.abs(blue - otherBlue)
}

function channels(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255]
}
