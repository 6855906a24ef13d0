/** Writes the schemas for editors and `docs/flow-reference.md`, from the schemas our readers use. */
import { writeFileSync } from 'node:fs'
import { editorSchemaText, testSchemaText } from './editor-schema.ts'
import { flowReferenceText } from './flow-reference.ts'

writeFileSync(new URL('../flows/flow.schema.json', import.meta.url), editorSchemaText())
writeFileSync(new URL('../flows/flow-test.schema.json', import.meta.url), testSchemaText())
writeFileSync(new URL('../docs/flow-reference.md', import.meta.url), flowReferenceText())
