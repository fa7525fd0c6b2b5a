"use client";

export { type FieldStatus, type Fields, type FieldsOptions, type FieldsSource, useFields } from "./use_fields.js";
