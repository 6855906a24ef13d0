/** Limits for spreadsheets (D-30), and the error for a file that exceeds them. */

/** All parts of a workbook together, unpacked. */
export const UNPACKED_BYTES_MAX = 200 * 1024 * 1024
/** Unpacked to packed size, from `RATIO_COUNTS_FROM_BYTES` on: a list of one letter is harmless. */
export const RATIO_MAX = 100
/** The ratio counts from this size on. */
export const RATIO_COUNTS_FROM_BYTES = 1024 * 1024
/** Parts of a workbook. Our choice: real ones have tens. */
export const ENTRIES_MAX = 5_000
/** Without the row of headings and blank rows. */
export const ROWS_MAX = 100_000
/** Columns with content. */
export const COLUMNS_MAX = 100
/** The limit of spreadsheet programs for one cell. */
export const CELL_LENGTH_MAX = 32_767
/** All cells together. Our choice: a workbook can store a long text once and show it in every cell. */
export const TEXT_LENGTH_MAX = 48 * 1024 * 1024

/** The file is not read; the message says why, and what to do about it. */
export class SheetFault extends Error {}
