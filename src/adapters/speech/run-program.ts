import { execFile } from 'node:child_process'

/** `why` continues a sentence that names the program. */
export type ProgramResult =
  | { readonly ok: true; readonly output: Buffer }
  /** `missing`: the program does not exist. */
  | { readonly ok: false; readonly missing: boolean; readonly why: string }

interface ProgramLimits {
  readonly timeoutMs: number
  readonly outputBytesMax: number
}

/** Limit for the quoted error output of a program. */
const COMPLAINT_LENGTH_MAX = 200

/** Runs a program with `input` on standard input and returns its output. No shell is involved. Never rejects. */
export function runProgram(
  program: string,
  args: readonly string[],
  input: string | Buffer,
  { timeoutMs, outputBytesMax }: ProgramLimits,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const options = {
      encoding: 'buffer',
      timeout: timeoutMs,
      maxBuffer: outputBytesMax,
      killSignal: 'SIGKILL',
      windowsHide: true,
    } as const
    try {
      const child = execFile(program, args, options, (error, output, complaint) => {
        resolve(error ? failure(error, program, String(complaint)) : { ok: true, output })
      })
      // A program that ends before it has read its input breaks the pipe; its exit is handled above.
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
    } catch (error) {
      resolve(failure(error as Error, program, ''))
    }
  })
}

function failure(
  error: Error & { code?: unknown; killed?: boolean },
  program: string,
  complaint: string,
): ProgramResult {
  const missing = error.code === 'ENOENT' || error.code === 'EACCES'
  if (missing) return { ok: false, missing, why: `the program "${program}" cannot be run (${error.code})` }
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return { ok: false, missing, why: 'its output is too large' }
  if (error.killed) return { ok: false, missing, why: 'it took too long and was killed' }
  const said = complaint.trim().split('\n')[0]!.slice(0, COMPLAINT_LENGTH_MAX)
  return { ok: false, missing, why: `it ended with ${String(error.code ?? error.message)}${said && `: ${said}`}` }
}
