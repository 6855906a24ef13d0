/** Which acts somebody means by a few letters. Pure. */
import type { Command } from './commands.ts'

/** Those that have every typed word in one of their names, the best first; nothing typed: all, in their order. */
export function foundCommands(commands: readonly Command[], typed: string): Command[] {
  const words = folded(typed).split(/\s+/).filter(Boolean)
  const sumOf = (name: string) => words.reduce((sum, word) => sum + rate(name, word), 0)
  const rated = commands.map((command) => {
    const sums = Object.values(command.names).map((name) => sumOf(folded(name)))
    return { command, sum: Math.min(...sums) }
  })
  return rated
    .filter(({ sum }) => sum < UNLIKE)
    .sort((one, other) => one.sum - other.sum)
    .map(({ command }) => command)
}

const UNLIKE = 1_000

/** 0: a word of the name begins so; 1: it is somewhere in it; 2: its letters are there in this order. */
function rate(name: string, word: string): number {
  if (name.split(/[^\p{L}\p{N}]+/u).some((each) => each.startsWith(word))) return 0
  if (name.includes(word)) return 1
  let at = -1
  for (const letter of word) {
    at = name.indexOf(letter, at + 1)
    if (at < 0) return UNLIKE
  }
  return 2
}

/** Without capital letters and accents. */
function folded(text: string): string {
  return text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
}
