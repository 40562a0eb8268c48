package dev.postern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens whose names alone betray them, and ordinary names that are made of the same words. */
class ControlTokenNamesTest {

    /** From tokenizers and chat templates of 2023 to 2026, by family. */
    static Stream<String> tokens() {
        return """
                qwen-omni <tts_pad> <tts_text_bos> <tts_text_eod> <tts_text_bos_single> <asr_text>
                voxtral [TRANSCRIBE] [STREAMING_PAD] [STREAMING_WORD] [NEXT_AUDIO_TEXT] [REPEAT_AUDIO_TEXT] [AUDIO_TO_TEXT]
                voxtral [TEXT_TO_AUDIO] [OUTPUT_AUDIO] [BEGIN_AUDIO]
                kimi-vl ◁media_start▷ ◁media_content▷ ◁media_pad▷ ◁media_end▷
                minimax-text <beginning_of_sentence> <end_of_sentence> <begin_of_document> <end_of_document>
                llm-jp <EOD|LLM-jp> <PAD|LLM-jp> <mask|LLM-jp>
                step3 <patch_start> <patch_end> <patch_newline> <im_patch> <steptml:invoke <steptml:parameter
                starcoder <jupyter_start> <jupyter_text> <jupyter_code> <jupyter_output> <jupyter_script>
                starcoder <commit_before> <commit_after>
                idefics <row_1_col_1> <row_3_col_12> <global-img>
                kosmos <patch_index_0001>
                ovis <ovis_image_start> <ovis_visual_atom> <image_atom>
                chameleon <racm3:break> <eoss>
                aixcoder <AIX-SPAN-PRE> <AIX-SPAN-POST> <AIX-SPAN-MIDDLE>
                got-ocr <imgpad>
                glm [gMASK] [sMASK]
                """
                .lines()
                .flatMap(family -> Stream.of(family.split(" ")).skip(1));
    }

    @ParameterizedTest
    @MethodSource("tokens")
    void namesTheToken(String token) {
        assertThat(Boundary.defused("a\n" + token))
                .startsWith("a\n(control token ")
                .doesNotContain(token);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<media:content url=\"a\"/> </media:content> <media:group> <media:text> </media:player>",
                "<text> <text:p> <textarea> <text_pos> <text_box> <tts> <tts_voice> <asr> <asr_model> <visual>",
                "<media> <media_id> <media_url> <media_type> <video_id> <audio_url> <streaming> <streaming_url>",
                "<patch> <patch_id> <patch_index> <row> <row_1> <col_1> <start_frame> <frame_start> AND <frame_end>",
                "[MASK] [STREAM] [STREAMING] [TEXT] [MEDIA] [OUTPUT] [TRANSCRIPT] [transcribe] [audio_to_text] [FRAME]",
                "<document> <document_id> </documents> <beginning> <beginning_balance> <end_of_day> <start_of_week>",
                "<reponame> <repo_name> <filename> <commit_msg> <commit_id> <commit> <jupyter> <jupyter_url> <blank1>",
                "<speech_to_text> <audio_to_text> <image_to_text> <start|stop|LLM-jp> <a|LLM-jp> <mode|LLM>",
            })
    void passesOrdinaryNamesOfTheSameWordsOnByteForByte(String text) {
        assertThat(Boundary.defused(text)).isSameAs(text);
    }
}
