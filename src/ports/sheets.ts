/** Encodings that a list of text may be in; told apart by themselves as far as that is possible. */
export const CHARSETS = ['utf-8', 'windows-1252', 'windows-1257', 'utf-16le', 'utf-16be'] as const

/** One of them. */
export type Charset = (typeof CHARSETS)[number]

/** As it is sent (D-30). */
export const SHEET_BYTES_MAX = 10 * 1024 * 1024

/** A spreadsheet as somebody sent it: what it is is told by its bytes, never by its name. */
export interface SheetFile {
  readonly bytes: Uint8Array
  /** Of a text; guessed when absent. */
  readonly charset?: Charset
  /** Which sheet of a workbook, from 1; the first when absent. */
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
    }
  | { readonly ok: false; readonly why: string }

/** Reads spreadsheets of strangers: whatever they are, it says so in time, and nobody else waits for it. */
export interface SheetReader {
  /** Never rejects. */
  read(file: SheetFile): Promise<SheetReading>
  /** Files that are being read are given up. */
  close(): Promise<void>
}
