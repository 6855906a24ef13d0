/** Writes `flows/flow.schema.json`, which editors use, from the schema our reader uses. Run after changing it. */
import { writeFileSync } from 'node:fs'
import { editorSchemaText } from './editor-schema.ts'

writeFileSync(new URL('../flows/flow.schema.json', import.meta.url), editorSchemaText())
