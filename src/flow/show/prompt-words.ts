import type { Flow, Prompt, Segment, TemplateTree } from '../model/flow.ts'
import type { Template } from '../model/template.ts'

/** The words of a prompt in the first language of the flow; values stand in ‹…›. */
export function promptInWords(prompt: Prompt, flow: Flow, depth = 0): string {
  return prompt.map((segment) => segmentInWords(segment, flow, depth)).join(' ')
}

/** A text with its values in ‹…›. */
export function templateInWords({ parts }: Template): string {
  return parts
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'secret' ? '‹a secret›' : `‹${part.path.text}›`))
    .join('')
}

/** A value that a step sets, in which texts may stand anywhere. */
export function treeInWords(tree: TemplateTree): string {
  if (Array.isArray(tree)) return `a list of ${tree.map(treeInWords).join(', ')}`
  if ('parts' in tree) return `"${templateInWords(tree as Template)}"`
  if ('literal' in tree) return String(tree.literal)
  return Object.entries(tree)
    .map(([key, inner]) => `${key} ${treeInWords(inner)}`)
    .join(', ')
}

function segmentInWords(segment: Segment, flow: Flow, depth: number): string {
  switch (segment.kind) {
    case 'say':
      return templateInWords(segment.text)
    case 'pause':
      return `(pause of ${segment.ms / 1000} s)`
    case 'file':
      return `(recording ${segment.file})`
    case 'prompt': {
      const wording = flow.prompts[segment.name]?.[flow.languages[0] ?? 'en']
      return wording && depth < 5 ? promptInWords(wording, flow, depth + 1) : `(prompt ${segment.name})`
    }
    case 'money':
      return `${templateInWords(segment.value)} ${segment.currency}`
    default:
      return templateInWords(segment.value)
  }
}
