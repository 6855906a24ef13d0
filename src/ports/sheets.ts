/** Encodings of a text file; the reader detects them as far as possible. */
export const CHARSETS = ['utf-8', 'windows-1252', 'windows-1257', 'utf-16le', 'utf-16be'] as const

export type Charset = (typeof CHARSETS)[number]

/** As it is sent (D-30). */
export const SHEET_BYTES_MAX = 10 * 1024 * 1024

/** An uploaded spreadsheet. Its bytes decide the format, never its name. */
export interface SheetFile {
  readonly bytes: Uint8Array
  /** Of a text; guessed when absent. */
  readonly charset?: Charset
  /** Which sheet of a workbook, from 1; when absent the first that is not hidden. */
  readonly sheet?: number
}

/** A row that is not blank. Cells are what a person reads in them, as texts; dates in the form of ISO 8601. */
export interface SheetRow {
  /** As the person counts who looks at the sheet: from 1, blank rows too. */
  readonly row: number
  /** Without the blank ones at its end. */
  readonly cells: readonly string[]
}

/** What a spreadsheet says, or in a sentence why it cannot be read and what to do about it. */
export type SheetReading =
  | {
      readonly ok: true
      readonly kind: 'csv' | 'xlsx' | 'ods'
      /** What stands between the cells of a text. */
      readonly delimiter?: string
      readonly rows: readonly SheetRow[]
      /** Everything hidden, computed, failed or converted, by row and column. */
      readonly warnings: readonly string[]
    }
  | { readonly ok: false; readonly why: string }

/** Reads untrusted spreadsheets, in bounded time and beside the event loop. */
export interface SheetReader {
  /** Never rejects. */
  read(file: SheetFile): Promise<SheetReading>
  /** Files that are being read are given up. */
  close(): Promise<void>
}
