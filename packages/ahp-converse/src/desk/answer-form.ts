import type { Ticket } from '../server/operators/ticket.js'
import { type Markup, markup } from './markup.js'
import { FIELD_PREFIX, JSON_FIELD, type OutputField, outputFields } from './output-fields.js'

/** A form with what was entered before, so that nothing is lost with a refusal. */
export function answerForm({ turn, outputSchema }: Ticket, at: string, form: URLSearchParams): Markup {
  return markup`<form method="post" action="${at}/answer">
<label for="answer">What the visitor is told</label>
<p class="soft hint" id="answer-hint">About ${turn.maxTokens * 4} letters at most, in plain words; the visitor is a program that acts for a person.</p>
<textarea id="answer" name="answer" required dir="auto" aria-describedby="answer-hint">${form.get('answer') ?? undefined}</textarea>
${outputSchema && (outputFields(outputSchema)?.map((field) => fieldFor(field, form)) ?? jsonField(outputSchema, form))}
<button>Send the answer</button>
<button class="quiet" formaction="${at}/claim" formnovalidate>Keep the question for longer</button>
</form>`
}

export function declineForm(at: string, form: URLSearchParams): Markup {
  return markup`<details${form.has('message') && markup` open`}><summary>Decline instead</summary>
<form method="post" action="${at}/decline">
<label for="message">Why, as the visitor is told</label>
<textarea id="message" name="message" class="short" required maxlength="2000" dir="auto">${form.get('message') ?? undefined}</textarea>
<button class="quiet">Decline the question</button>
</form></details>`
}

/** What an operator wrote who cannot send it any more. */
export function unsentText(form: URLSearchParams): Markup | undefined {
  const text = form.get('answer') ?? form.get('message')
  if (text === null) return undefined
  return markup`<label for="unsent">What you wrote</label>
<textarea id="unsent" readonly dir="auto">${text}</textarea>`
}

function fieldFor(field: OutputField, form: URLSearchParams): Markup {
  const { name, label, hint, isRequired } = field
  const id = FIELD_PREFIX + name
  const names = markup` id="${id}" name="${id}"${isRequired && markup` required`}${hint !== undefined && markup` aria-describedby="${id}.hint"`}`
  return markup`<label for="${id}">${label}${isRequired ? undefined : ' (if known)'}</label>
${hint !== undefined && markup`<p class="soft hint" id="${id}.hint">${hint}</p>`}
${control(field, names, form.get(id) ?? '')}`
}

function control({ kind, choices }: OutputField, names: Markup, value: string): Markup {
  switch (kind) {
    case 'number':
    case 'integer':
      return markup`<input${names} inputmode="${kind === 'number' ? 'decimal' : 'numeric'}" value="${value}">`
    case 'boolean':
      return select(names, value, [
        ['true', 'yes'],
        ['false', 'no'],
      ])
    case 'choice':
      return select(
        names,
        value,
        choices.map((choice) => [choice, choice]),
      )
    case 'text':
      return markup`<textarea${names} class="short" dir="auto">${value}</textarea>`
  }
}

function select(names: Markup, chosen: string, options: readonly (readonly [string, string])[]): Markup {
  return markup`<select${names}><option value=""></option>${options.map(
    ([value, label]) =>
      markup`<option value="${value}"${value === chosen && markup` selected`}>${label}</option>`,
  )}</select>`
}

function jsonField(schema: object, form: URLSearchParams): Markup {
  return markup`<label for="${JSON_FIELD}">Data, as JSON</label>
<details><summary>What it must fit</summary><pre>${JSON.stringify(schema, undefined, 2)}</pre></details>
<textarea id="${JSON_FIELD}" name="${JSON_FIELD}" class="code" spellcheck="false" required>${form.get(JSON_FIELD) ?? '{}'}</textarea>`
}
