import type { Speaker, Transcription } from '../../ports/recordings/transcripts.ts'

/** What one side said until the other began. */
export interface SpokenLine {
  readonly speaker: Speaker | null
  readonly text: string
}

/** An hour of talk. The reason for a call is at its beginning, and the agreement at its end. */
const LETTERS_MAX = 60_000

/** The lines of a call in order; of a very long call the middle is left out. */
export function spokenLines(heard: readonly Transcription[]): readonly SpokenLine[] {
  const lines: { speaker: Speaker | null; text: string }[] = []
  for (const { parts } of heard) {
    for (const { speaker, text } of parts) {
      const last = lines.at(-1)
      if (last && last.speaker === speaker) last.text += ` ${text}`
      else lines.push({ speaker, text })
    }
  }
  return withoutMiddle(lines)
}

/** The language with the most text; `und` if unknown. */
export function spokenLanguage(heard: readonly Transcription[]): string {
  const lettersOf = ({ parts }: Transcription) => parts.reduce((sum, { text }) => sum + text.length, 0)
  const known = heard.filter(({ language }) => language !== null).sort((a, b) => lettersOf(b) - lettersOf(a))
  return known[0]?.language ?? 'und'
}

function withoutMiddle(lines: readonly SpokenLine[]): readonly SpokenLine[] {
  const letters = lines.reduce((sum, { text }) => sum + text.length, 0)
  if (letters <= LETTERS_MAX) return lines
  const first = taking(lines, (LETTERS_MAX * 2) / 3, (text, count) => text.slice(0, count))
  const last = taking([...lines].reverse(), LETTERS_MAX / 3, (text, count) => text.slice(-count)).reverse()
  return [...first, { speaker: null, text: '…' }, ...last]
}

function taking(
  lines: readonly SpokenLine[],
  lettersMax: number,
  cut: (text: string, count: number) => string,
): SpokenLine[] {
  let left = lettersMax
  return lines.flatMap((line) => {
    if (left <= 0) return []
    const text = cut(line.text, left).toWellFormed()
    left -= text.length
    return [{ ...line, text }]
  })
}
