/** What a spreadsheet may be (D-30), and how it is said that one is not read. */

/** Unpacked, all parts of a workbook together. */
export const UNPACKED_BYTES_MAX = 200 * 1024 * 1024
/** Unpacked to packed. Of less than `RATIO_COUNTS_FROM_BYTES` it says nothing: a list of one letter is no bomb. */
export const RATIO_MAX = 100
/** From here on the ratio counts. */
export const RATIO_COUNTS_FROM_BYTES = 1024 * 1024
/** Parts of a workbook. Our choice: real ones have tens. */
export const ENTRIES_MAX = 5_000
/** The row of headings not counted; neither are blank ones. */
export const ROWS_MAX = 100_000
/** Columns that anything stands in. */
export const COLUMNS_MAX = 100
/** What spreadsheet programs themselves take in one cell. */
export const CELL_LENGTH_MAX = 32_767
/** All cells together. Our choice: one long text may be shown in every cell of a workbook, and stand in it once. */
export const TEXT_LENGTH_MAX = 48 * 1024 * 1024

/** The file is not read; the message says why, and what to do about it. */
export class SheetFault extends Error {}
