// #region tools
import { generateText, stepCountIs } from 'ai'
import { visit } from '@doorplate/ahp-converse/client'
import { toTools } from '@doorplate/ahp-converse/tools'
// #endregion tools

/** @param {import('ai').LanguageModel} model */
export async function askWith(model) {
  // #region tools
  const site = await visit('https://books.example')
  const { text } = await generateText({
    model,
    tools: toTools(site, { prefix: 'books_' }),
    stopWhen: stepCountIs(5),
    prompt: 'Which reviews mention sandworms?',
  })
  // #endregion tools
  return text
}
