import type { ConfigInput } from './config-input.ts'
import { type ConfigFiles, generateConfig } from './generate-config.ts'
import { debianTree } from './tree.ts'

/** The run directory inside the container of `compose.yaml`. */
const CONTAINER_RUN_DIRECTORY = '/switchboard'

/**
 * The configuration for the container of `Dockerfile`: the same switch, in Debian's own folders. Write it by
 * `writeConfig` into the folder that `compose.yaml` mounts. `architecture` is a multiarch name (`x86_64-linux-gnu`).
 */
export function containerConfig(
  input: Pick<ConfigInput, 'installation' | 'secret' | 'ari'>,
  architecture: string,
): ConfigFiles {
  return generateConfig({ ...input, tree: debianTree(architecture), runDirectory: CONTAINER_RUN_DIRECTORY })
}
