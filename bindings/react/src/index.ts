"use client";

export { type FieldStatus, type Fields, type FieldsOptions, type FieldsSource, type FieldsState, useFields } from "./use_fields.js";
