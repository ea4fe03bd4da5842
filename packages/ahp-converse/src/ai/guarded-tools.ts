import { tool, type FlexibleSchema, type ToolSet } from 'ai'
import { cutText } from '../cut-text.js'
import type { Settings } from './answer-with-options.js'
import type { DataMarker } from './data-block.js'

export interface GuardedTools {
  readonly tools: ToolSet
  /** Names of the tools that were called, each once. */
  readonly used: ReadonlySet<string>
}

/** Tools whose results reach the model as data: capped, marked, and without what an error may tell about the inside. */
export function guardTools(marker: DataMarker, settings: Settings): GuardedTools {
  const used = new Set<string>()
  let calls = 0
  const tools: ToolSet = {}
  for (const [name, { description, inputSchema, execute }] of Object.entries(settings.tools)) {
    // Nothing else of a tool: what it shows the model by other ways would go past the mark.
    tools[name] = tool({
      ...(description !== undefined && { description }),
      inputSchema: inputSchema as FlexibleSchema<unknown>,
      execute: async (input, context) => {
        calls++
        if (calls > settings.maxToolCalls) return 'Refused: too many calls. Answer with what you have.'
        used.add(name)
        const call = `t${calls}`
        try {
          const result: unknown = await execute?.(input, context)
          return marker.wrap('tool-result', call, cutText(asText(result), settings.maxToolResultCharacters))
        } catch (error) {
          settings.onError(error, { stage: 'tool', tool: name })
          return 'The tool failed.'
        }
      },
    })
  }
  return { tools, used }
}

function asText(result: unknown): string {
  if (result === undefined) return ''
  return typeof result === 'string' ? result : JSON.stringify(result)
}
