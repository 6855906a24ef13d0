/** Writes the schemas that editors use for flows and their tests, from those of our readers. Run after a change. */
import { writeFileSync } from 'node:fs'
import { editorSchemaText, testSchemaText } from './editor-schema.ts'

writeFileSync(new URL('../flows/flow.schema.json', import.meta.url), editorSchemaText())
writeFileSync(new URL('../flows/flow-test.schema.json', import.meta.url), testSchemaText())
