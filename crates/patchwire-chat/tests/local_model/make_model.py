"""Makes a tiny model with random weights and a real tokenizer: its words are noise, its tokens are not.

Usage: make_model.py FILE.gguf
"""

import glob
import json
import sys
import sysconfig

import gguf
import numpy
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

VOCABULARY, WIDTH, LAYERS, HEADS, INNER, CONTEXT = 2048, 64, 2, 4, 128, 4096
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{m.role}}\n{{m.content}}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def texts():
    """What the tokenizer learns from: the sources of Python's library, and some of what models write."""
    for name in sorted(glob.glob(sysconfig.get_paths()["stdlib"] + "/*.py"))[:120]:
        with open(name, encoding="utf8", errors="ignore") as file:
            yield file.read()
    for text in ['{"title": "', '", "', '": [', '": true', "<think>", "Grüße 😀", "日本語"]:
        yield text * 200


def tokenizer():
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(texts(), trainer)
    return json.loads(made.to_str())["model"]


def main(path):
    bpe = tokenizer()
    tokens = sorted(bpe["vocab"], key=bpe["vocab"].get)
    merges = [pair if isinstance(pair, str) else " ".join(pair) for pair in bpe["merges"]]
    kinds = [gguf.TokenType.CONTROL if it in SPECIAL else gguf.TokenType.NORMAL for it in tokens]

    file = gguf.GGUFWriter(path, "llama")
    file.add_name("tiny-random")
    file.add_context_length(CONTEXT)
    file.add_embedding_length(WIDTH)
    file.add_block_count(LAYERS)
    file.add_feed_forward_length(INNER)
    file.add_head_count(HEADS)
    file.add_head_count_kv(HEADS)
    file.add_layer_norm_rms_eps(1e-5)
    file.add_rope_dimension_count(WIDTH // HEADS)
    file.add_rope_freq_base(10000.0)
    file.add_vocab_size(len(tokens))
    file.add_file_type(gguf.LlamaFileType.ALL_F32)
    file.add_tokenizer_model("gpt2")
    file.add_tokenizer_pre("gpt-2")
    file.add_token_list([token.encode() for token in tokens])
    file.add_token_types(kinds)
    file.add_token_merges(merges)
    file.add_bos_token_id(bpe["vocab"][SPECIAL[0]])
    file.add_eos_token_id(bpe["vocab"][SPECIAL[2]])
    file.add_add_bos_token(False)
    file.add_chat_template(TEMPLATE)

    random = numpy.random.default_rng(0)

    def weights(*shape, scale=None):
        scale = scale or 1 / numpy.sqrt(shape[-1])
        return (random.standard_normal(shape) * scale).astype(numpy.float32)

    def ones():
        return numpy.ones(WIDTH, numpy.float32)

    file.add_tensor("token_embd.weight", weights(len(tokens), WIDTH, scale=1.0))
    file.add_tensor("output_norm.weight", ones())
    file.add_tensor("output.weight", weights(len(tokens), WIDTH, scale=0.35))
    for layer in range(LAYERS):
        name = f"blk.{layer}."
        for norm in ("attn_norm", "ffn_norm"):
            file.add_tensor(f"{name}{norm}.weight", ones())
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            file.add_tensor(f"{name}{part}.weight", weights(WIDTH, WIDTH))
        for part in ("ffn_gate", "ffn_up"):
            file.add_tensor(f"{name}{part}.weight", weights(INNER, WIDTH))
        file.add_tensor(f"{name}ffn_down.weight", weights(WIDTH, INNER))
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


if __name__ == "__main__":
    main(sys.argv[1])
