import { createInterface } from 'node:readline'
import type { ReadStream, WriteStream } from 'node:tty'

interface Terminal {
  /** Prints the question and resolves with the next line; undefined when the input has ended. */
  ask(question: string): Promise<string | undefined>
  close(): void
}

/** Questions to the user. Where lines come from a pipe they are printed, as a terminal prints what is typed. */
export function openTerminal(input: ReadStream, output: WriteStream): Terminal {
  const reader = createInterface({ input, terminal: false })
  const lines = reader[Symbol.asyncIterator]()
  return {
    ask: async (question) => {
      output.write(question)
      const { value, done } = await lines.next()
      if (!input.isTTY || done) output.write(`${done ? '' : value}\n`)
      return done ? undefined : value
    },
    close: () => reader.close(),
  }
}
