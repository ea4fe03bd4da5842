import { expect, it } from 'vitest'
import { countTests } from './count-tests.js'

const passing = { status: 'passed', assertionResults: [{}, {}] }

it('counts tests', () => {
  const report = { numPassedTests: 7, numFailedTests: 2, testResults: [passing] }
  expect(countTests(report, 1)).toEqual({ passed: 7, failed: 2 })
})

it('counts a file that did not load', () => {
  const report = {
    numPassedTests: 2,
    numFailedTests: 0,
    testResults: [passing, { status: 'failed', assertionResults: [] }],
  }
  expect(countTests(report, 1)).toEqual({ passed: 2, failed: 1 })
})

it('counts a run that failed without naming a test, or wrote no report', () => {
  expect(countTests({ numPassedTests: 2, numFailedTests: 0, testResults: [passing] }, 1)).toEqual({
    passed: 2,
    failed: 1,
  })
  expect(countTests(undefined, 0)).toEqual({ passed: 0, failed: 1 })
})

it('finds nothing wrong with a run that passed', () => {
  expect(countTests({ numPassedTests: 2, numFailedTests: 0, testResults: [passing] }, 0)).toEqual({
    passed: 2,
    failed: 0,
  })
})
